#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"

/// Operators that detection layers are made of. They compute in f32, as the ops do.
namespace mo::onnx_emitter::detection {

inline Value in_f32(Translation& t, std::size_t i) {
  return t.node.input_type(i).element_type == ElementType::f32 ? t.input(i) : t.cast(t.input(i), ElementType::f32);
}

/// In the element type of output `i` of the node.
inline Value as_output(Translation& t, const Value& value, std::size_t i = 0) {
  const ElementType type = t.node.output_type(i).element_type;
  return type == ElementType::f32 ? value : t.cast(value, type);
}

/// A dimension of input `i`; nothing when it is unknown.
inline std::optional<std::int64_t> known_size(const Translation& t, std::size_t i, std::size_t axis) {
  const PartialShape& shape = t.node.input_type(i).shape;
  if (!shape.has_rank() || axis >= shape.size() || !shape[axis].is_known()) return std::nullopt;
  return shape[axis].value();
}

inline Value reals(Translation& t, Shape shape, const std::vector<double>& values) {
  return t.constant(*from_reals(ElementType::f32, std::move(shape), values));
}

inline Value real(Translation& t, double value) { return t.scalar(ElementType::f32, value); }

/// The least f32: below each score.
inline Value least_real(Translation& t) { return real(t, static_cast<double>(std::numeric_limits<float>::lowest())); }

inline Value reshaped(Translation& t, const Value& value, const std::vector<std::int64_t>& shape) {
  return t.op("Reshape", {value, t.integers(shape)});
}

/// Elements `from` to `to` - 1 along an axis.
inline Value sliced(Translation& t, const Value& value, std::int64_t axis, std::int64_t from, std::int64_t to) {
  return t.op("Slice", {value, t.integers({from}), t.integers({to}), t.integers({axis})});
}

/// Parts of these lengths along an axis.
inline Outputs parts(Translation& t, const Value& value, std::int64_t axis, const std::vector<std::int64_t>& lengths) {
  if (t.opset >= 13) return t.ops("Split", {value, t.integers(lengths)}, lengths.size(), {{"axis", axis}});
  return t.ops("Split", {value}, lengths.size(), {{"axis", axis}, {"split", lengths}});
}

inline Value joined(Translation& t, std::vector<Value> values, std::int64_t axis) {
  return t.op("Concat", std::move(values), {{"axis", axis}});
}

/// The columns of a matrix in another order.
inline Value columns(Translation& t, const Value& matrix, const std::vector<std::int64_t>& order) {
  return t.op("Gather", {matrix, t.integers(order)}, {{"axis", 1}});
}

/// `value` in the shape of another tensor.
inline Value filled_like(Translation& t, const Value& value, const Value& like) {
  return t.op("Expand", {value, t.op("Shape", {like})});
}

/// Scores that are among the best `count` along an axis; `none` in place of the others. The first of equal ones counts.
inline Value only_best(Translation& t, const Value& scores, std::int64_t axis, const Value& count, const Value& none) {
  const Outputs best = t.ops("TopK", {scores, count}, 2, {{"axis", axis}});
  return t.op("ScatterElements", {filled_like(t, none, scores), best[1], best[0]}, {{"axis", axis}});
}

/// Boxes [N, priors, 4] and scores [N, classes, priors] above `least` -> [selected, 3]: image, class, prior.
inline Value suppressed(Translation& t, const Value& boxes, const Value& scores, std::int64_t most, double overlap,
                        const Value& least) {
  const Value limit = t.scalar(ElementType::i64, static_cast<double>(most));
  return t.op("NonMaxSuppression", {boxes, scores, limit, real(t, overlap), least});
}

}  // namespace mo::onnx_emitter::detection
