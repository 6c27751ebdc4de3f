#include "frontends/caffe/ops/support/layer_ports.hpp"

namespace mo::caffe {
namespace {

Expected<Op> inner_product(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  const bool bias = layer.flag("inner_product_param.bias_term", true);
  MO_TRY(expect_blobs(layer, bias ? 2 : 1));
  MO_ASSIGN(const std::int64_t outputs, size_of(layer, "inner_product_param.num_output", 0));
  return layer_op(layer, "CaffeInnerProduct",
                  {{"num_output", outputs},
                   {"bias_term", bias},
                   {"axis", layer.integer("inner_product_param.axis", 1)},
                   {"transpose", layer.flag("inner_product_param.transpose", false)}});
}

/// A row of the first blob for each number of the bottom.
Expected<Op> embed(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  const bool bias = layer.flag("embed_param.bias_term", true);
  MO_TRY(expect_blobs(layer, bias ? 2 : 1));
  MO_ASSIGN(const std::int64_t outputs, size_of(layer, "embed_param.num_output", 0));
  MO_ASSIGN(const std::int64_t rows, size_of(layer, "embed_param.input_dim", 0));
  return layer_op(layer, "CaffeEmbed", {{"num_output", outputs}, {"input_dim", rows}, {"bias_term", bias}});
}

}  // namespace

void register_inner_product(OperatorTable& table) {
  table.extract("InnerProduct", inner_product);
  table.extract("Embed", embed);
}

}  // namespace mo::caffe
