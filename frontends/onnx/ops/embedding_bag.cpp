#include "ops/embedding_bag.hpp"

#include <limits>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"

namespace mo::onnx {
namespace {

/// PyTorch's numbers for what is done with the rows of a bag.
enum BagMode : std::int64_t { kSum = 0, kMean = 1 };

/// The table and, after it, a row of zeros for empty bags.
Value with_zero_row(Rewriter& rw, const Value& table) {
  const Value lengths = join(rw, {rw.integers({1}), slice_along(rw, shape_of(rw, table), 0, 1, 2)});
  const Value zeros = rw.create(ops::Broadcast{}, number_like(rw, table, 0), lengths);
  return rw.create(ops::Concat{.axis = 0}, table, zeros);
}

/// How many indices are in each bag, at least 1: [bags, 1] of the type of the table.
Value bag_sizes(Rewriter& rw, const Value& table, const Value& indices, const Value& offsets) {
  const Value count = as_i64(rw, length_along(rw, indices, 0));
  const Value begins = as_i64(rw, offsets);
  const Value begins_and_end = join(rw, {begins, count});
  const Value ends = slice_along(rw, begins_and_end, 0, 1, std::numeric_limits<std::int64_t>::max());
  const Term sizes = larger(Term(rw, rw.create(ops::Subtract{}, ends, begins), ElementType::i64), 1);
  return as_type_of(rw, sizes.unsqueezed({1}), table);
}

/// embedding_bag(table, indices, offsets, weights): the sum or mean of the rows of each bag. Without offsets, the rows
/// of indices are the bags.
Replacement embedding_bag(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  node.ignore({"scale_grad_by_freq", "sparse"}, "how gradients are computed");
  node.ignore({"overload_name"}, "a name among functions of C++ that differ in their arguments");
  const auto mode = node.attr<std::int64_t>("mode", kMean);
  if (mode != kSum && mode != kMean)
    return node.error("MO-ONNX-0482", "embedding_bag has mode {}", mode)
        .hint("an IR sums the rows of a bag (mode 0) or takes their mean (mode 1)");
  if (const auto padding = node.attr<std::int64_t>("padding_idx", -1); padding != -1)
    return node.error("MO-ONNX-0482", "embedding_bag leaves out index {}", padding)
        .hint("export the model without padding_idx");
  for (std::size_t i = 1; i < node.output_count(); ++i)
    if (node.output_used(i))
      return node.error("MO-ONNX-0482", "output {} of embedding_bag is read", i)
          .hint("outputs after the first one are for training: export the model for inference");
  const Value table = node.input(0);
  const Value indices = node.input(1);
  const Value weights = node.input(3);
  Outputs outputs(node.output_count());
  if (!node.input(2)) {
    std::vector<Value> inputs = {table, indices};
    if (weights) inputs.push_back(weights);
    outputs[0] = rw.create(ops::EmbeddingBagPackedSum{}, inputs);
    if (mode == kMean)
      outputs[0] = rw.create(ops::Divide{}, outputs[0], as_type_of(rw, length_along(rw, indices, 1), table));
    return outputs;
  }
  Value offsets = node.input(2);
  if (node.attr("include_last_offset", false)) offsets = slice_along(rw, offsets, 0, 0, -1);
  // Weights are the last input of the IR's op, after the index that an empty bag takes.
  outputs[0] = weights ? rw.create(ops::EmbeddingBagOffsetsSum{}, with_zero_row(rw, table), indices, offsets,
                                   as_type_of(rw, as_scalar(rw, length_along(rw, table, 0)), indices), weights)
                       : rw.create(ops::EmbeddingBagOffsetsSum{}, table, indices, offsets);
  if (mode == kMean) outputs[0] = rw.create(ops::Divide{}, outputs[0], bag_sizes(rw, table, indices, offsets));
  return outputs;
}

/// PyTorch's exporter writes functions that ONNX lacks by the name they have in its library.
Replacement aten(const FrameworkNode& node, Rewriter& rw) {
  const auto function = node.required<std::string>("operator");
  if (node.failure()) return *node.failure();
  if (function == "embedding_bag") return embedding_bag(node, rw);
  return node.error("MO-ONNX-0482", "the ATen function {} is not known", function)
      .hint("export the model with another opset, or without falling back to ATen");
}

}  // namespace

void register_embedding_bag(OperatorTable& table) {
  table.translate("ATen", since(1), aten);
  table.translate("org.pytorch.aten::ATen", since(1), aten);
}

}  // namespace mo::onnx
