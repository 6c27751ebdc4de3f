#include "extensions/front/caffe/layer_inputs.hpp"
#include "extensions/support/front_shapes.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"

namespace mo::front::caffe {
namespace {

/// The axes from `axis` on as one; a negative axis counts from the back.
Value rows_of(Rewriter& rw, const Value& x, std::int64_t axis) {
  if (axis == -1) return x;
  if (axis < 0) return rw.create(ops::Reshape{}, x, join(rw, {slice_along(rw, shape_of(rw, x), 0, 0, axis), rw.integers({-1})}));
  Integers shape(static_cast<std::size_t>(axis), 0);
  shape.push_back(-1);
  return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(shape));
}

/// InnerProduct -> MatMul of the flattened bottom with [outputs, inputs] (`transpose`: [inputs, outputs]), plus the bias. Without leading
/// axes (axis 0) the row is a vector, and so is the result.
Replacement inner_product(const Node& node, Rewriter& rw) {
  constexpr std::int64_t kMostAxes = 64;
  const std::int64_t axis = integer_of(node, "axis", 1);
  if (axis < -kMostAxes || axis > kMostAxes)
    return node.error("MO-CAFFE-0104", "inner_product_param.axis is {}", axis).hint("it is an axis of the bottom");
  const bool transpose = flag_of(node, "transpose");
  const std::int64_t outputs = integer_of(node, "num_output", 1);
  MO_ASSIGN(const Value weights, shaped_blob(node, rw, 0, transpose ? Integers{-1, outputs} : Integers{outputs, -1}));
  const Value product = rw.create(ops::MatMul{.transpose_b = !transpose}, rows_of(rw, node.input(0), axis), weights);
  if (!flag_of(node, "bias_term")) return product;
  MO_ASSIGN(const Value bias, shaped_blob(node, rw, 1, {outputs}));
  return rw.create(ops::Add{}, product, bias);
}

/// Embed -> Gather of rows, plus the bias. Caffe casts the numbers of the bottom to integers.
Replacement embed(const Node& node, Rewriter& rw) {
  const std::int64_t outputs = integer_of(node, "num_output", 1);
  MO_ASSIGN(const Value rows, shaped_blob(node, rw, 0, {integer_of(node, "input_dim", 1), outputs}));
  const Value index = rw.create(ops::Convert{.destination_type = ElementType::i64}, node.input(0));
  const Value y = rw.create(ops::Gather{}, rows, index, rw.scalar<std::int64_t>(0));
  if (!flag_of(node, "bias_term")) return y;
  MO_ASSIGN(const Value bias, shaped_blob(node, rw, 1, {outputs}));
  return rw.create(ops::Add{}, y, bias);
}

}  // namespace

void register_inner_product(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeInnerProduct").replace_op(inner_product));
  passes.add(front_replacement_op("CaffeEmbed").replace_op(embed));
}

}  // namespace mo::front::caffe
