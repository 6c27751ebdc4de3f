#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "onnx_emitter/support/sizes.hpp"
#include "ops/scaled_dot_product_attention.hpp"

/// ScaledDotProductAttention: MatMul, what hides scores, Softmax, MatMul.
namespace mo::onnx_emitter {
namespace {

/// The size of a dimension of input `i` as a scalar of i64; a negative axis counts from the back.
Value size_of(Translation& t, std::size_t i, std::int64_t axis) {
  const PartialShape& shape = t.node.input_type(i).shape;
  const Dimension& size = shape[shape.size() - static_cast<std::size_t>(-axis)];
  if (size.is_known()) return sizes::scalar(t, size.value());
  return t.op("Gather",
              {t.op("Shape", {t.input(i)}), sizes::scalar(t, static_cast<std::int64_t>(shape.size()) + axis)});
}

Value scaled_query(Translation& t, ElementType type) {
  if (t.input(4)) {
    const bool is_scalar = t.node.input_type(4).rank() == 0;
    return t.op("Mul", {t.input(0), is_scalar ? t.input(4) : t.op("Reshape", {t.input(4), t.integers({1})})});
  }
  const PartialShape& shape = t.node.input_type(0).shape;
  if (const Dimension& length = shape[shape.size() - 1]; length.is_known()) {
    const double scale = 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(length.value(), 1)));
    return t.op("Mul", {t.input(0), t.scalar(type, scale)});
  }
  const Value root = t.op("Sqrt", {t.cast(size_of(t, 0, -1), type)});
  return t.op("Mul", {t.input(0), t.op("Div", {t.scalar(type, 1), root})});
}

Value transposed_key(Translation& t) {
  std::vector<std::int64_t> order(t.node.input_type(1).shape.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return t.transposed(t.input(1), order);
}

/// Query i sees the keys 0 to i.
Value is_hidden(Translation& t) {
  const Value queries = t.with_axes("Unsqueeze", sizes::counted(t, size_of(t, 0, -2)), {1});
  return t.op("Greater", {sizes::counted(t, size_of(t, 1, -2)), queries});
}

Value masked(Translation& t, const Value& scores, ElementType type) {
  const Value no_weight = t.scalar(type, -std::numeric_limits<double>::infinity());
  if (t.node.as<ops::ScaledDotProductAttention>()->causal) return t.op("Where", {is_hidden(t), no_weight, scores});
  if (!t.input(3)) return scores;
  if (t.node.input_type(3).element_type == ElementType::boolean) return t.op("Where", {t.input(3), scores, no_weight});
  return t.op("Add", {scores, t.input(3)});
}

/// Softmax of the scores and one more, which has no part in the result.
Value weights_beside_sink(Translation& t, const Value& scores, std::int64_t last) {
  const Value largest = t.op("Max", {t.with_axes("ReduceMax", scores, {last}, {{"keepdims", 1}}, 18), t.input(5)});
  const Value powers = t.op("Exp", {t.op("Sub", {scores, largest})});
  const Value sum = t.with_axes("ReduceSum", powers, {last}, {{"keepdims", 1}});
  return t.op("Div", {powers, t.op("Add", {sum, t.op("Exp", {t.op("Sub", {t.input(5), largest})})})});
}

Expected<Outputs> attention(Translation& t) {
  for (const std::size_t i : {0, 1, 2}) MO_TRY(t.rank(i));
  const auto rank = t.node.output_type().rank();
  if (!rank) return t.refused("a mask of unknown rank");
  const ElementType type = t.node.output_type().element_type;
  const Value scores = masked(t, t.op("MatMul", {scaled_query(t, type), transposed_key(t)}), type);
  const Value weights =
      t.input(5) ? weights_beside_sink(t, scores, *rank - 1) : t.op("Softmax", {scores}, {{"axis", *rank - 1}});
  return Outputs{t.op("MatMul", {weights, t.input(2)})};
}

}  // namespace

void register_attention(OnnxForms& table) { table.add<ops::ScaledDotProductAttention>(attention); }

}  // namespace mo::onnx_emitter
