#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"

namespace mo::caffe {
namespace {

/// The axes from `axis` on as one; a negative axis counts from the back.
Value flattened_from(Rewriter& rw, const Value& x, std::int64_t axis) {
  if (axis == -1) return x;
  if (axis < 0)
    return rw.create(ops::Reshape{}, x, join(rw, {slice_along(rw, shape_of(rw, x), 0, 0, axis), rw.integers({-1})}));
  Integers shape(static_cast<std::size_t>(axis), 0);
  shape.push_back(-1);
  return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(shape));
}

/// InnerProduct -> MatMul of the flattened bottom with [outputs, inputs] (`transpose`: [inputs, outputs]), plus the
/// bias. Without leading axes (axis 0) the row is a vector, and so is the result.
Replacement inner_product(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  const bool has_bias = layer.flag("inner_product_param.bias_term", true);
  MO_TRY(expect_blobs(layer, has_bias ? 2 : 1));
  MO_ASSIGN(const std::int64_t outputs, size_of(layer, "inner_product_param.num_output", 0));
  constexpr std::int64_t kMostAxes = 64;
  const std::int64_t axis = layer.integer("inner_product_param.axis", 1);
  if (axis < -kMostAxes || axis > kMostAxes)
    return bad_value(layer, "inner_product_param.axis", axis, "an axis of the bottom");
  const bool transpose = layer.flag("inner_product_param.transpose", false);
  MO_ASSIGN(const Value weights, shaped_blob(layer, rw, 0, transpose ? Integers{-1, outputs} : Integers{outputs, -1}));
  const Value product =
      rw.create(ops::MatMul{.transpose_b = !transpose}, flattened_from(rw, layer.bottom(0), axis), weights);
  if (!has_bias) return product;
  MO_ASSIGN(const Value bias, shaped_blob(layer, rw, 1, {outputs}));
  return rw.create(ops::Add{}, product, bias);
}

/// Embed -> Gather of rows of the first blob, plus the bias. Caffe casts the numbers of the bottom to integers.
Replacement embed(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  const bool has_bias = layer.flag("embed_param.bias_term", true);
  MO_TRY(expect_blobs(layer, has_bias ? 2 : 1));
  MO_ASSIGN(const std::int64_t outputs, size_of(layer, "embed_param.num_output", 0));
  MO_ASSIGN(const std::int64_t count, size_of(layer, "embed_param.input_dim", 0));
  MO_ASSIGN(const Value rows, shaped_blob(layer, rw, 0, {count, outputs}));
  const Value y = rw.create(ops::Gather{}, rows, as_i64(rw, layer.bottom(0)), rw.scalar<std::int64_t>(0));
  if (!has_bias) return y;
  MO_ASSIGN(const Value bias, shaped_blob(layer, rw, 1, {outputs}));
  return rw.create(ops::Add{}, y, bias);
}

}  // namespace

void register_inner_product(OperatorTable& table) {
  table.translate("InnerProduct", inner_product);
  table.translate("Embed", embed);
}

}  // namespace mo::caffe
