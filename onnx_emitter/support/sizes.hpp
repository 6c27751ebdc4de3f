#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"

/// Sizes that are known, or that the model computes when it runs.
namespace mo::onnx_emitter::sizes {

/// End of a Slice after the last element, and of one that goes backwards: before the first element.
inline constexpr std::int64_t kAfterLast = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kBeforeFirst = std::numeric_limits<std::int64_t>::min();

/// A known number, or (size of dimension `axis` of input 0 + plus) * times / over.
struct Size {
  std::optional<std::int64_t> known = std::nullopt;
  std::int64_t axis = 0;
  std::int64_t plus = 0;
  std::int64_t times = 1;
  std::int64_t over = 1;
};

inline Size number(std::int64_t value) { return {.known = value}; }

/// (size of a dimension of input 0 + plus) * times / over. The rank of input 0 must be known.
inline Size along(const Translation& t, std::int64_t axis, std::int64_t times = 1, std::int64_t over = 1,
                  std::int64_t plus = 0) {
  const Dimension& size = t.node.input_type(0).shape[static_cast<std::size_t>(axis)];
  if (size.is_known()) return number((size.value() + plus) * times / over);
  return {.known = std::nullopt, .axis = axis, .plus = plus, .times = times, .over = over};
}

/// Elements `from` to `to` - 1 along an axis.
inline Value part(Translation& t, const Value& value, std::int64_t axis, std::int64_t from, std::int64_t to,
                  std::int64_t step = 1) {
  std::vector<Value> inputs{value, t.integers({from}), t.integers({to}), t.integers({axis})};
  if (step != 1) inputs.push_back(t.integers({step}));
  return t.op("Slice", std::move(inputs));
}

/// The sizes as a vector of i64.
inline Value vector_of(Translation& t, const std::vector<Size>& all) {
  std::vector<Value> parts;
  std::vector<std::int64_t> run;  // known sizes in a row are one constant
  Value shape;
  const auto end_run = [&] {
    if (!run.empty()) parts.push_back(t.integers(run));
    run.clear();
  };
  for (const Size& size : all) {
    if (size.known) {
      run.push_back(*size.known);
      continue;
    }
    end_run();
    if (!shape) shape = t.op("Shape", {t.input(0)});
    Value computed = part(t, shape, 0, size.axis, size.axis + 1);
    if (size.plus != 0) computed = t.op("Add", {computed, t.integers({size.plus})});
    if (size.times != 1) computed = t.op("Mul", {computed, t.integers({size.times})});
    if (size.over != 1) computed = t.op("Div", {computed, t.integers({size.over})});
    parts.push_back(computed);
  }
  end_run();
  if (parts.empty()) return t.integers({});
  return parts.size() == 1 ? parts.front() : t.op("Concat", std::move(parts), {{"axis", 0}});
}

/// Reshapes to these sizes. One unknown size among sizes above 0 follows from the others. A 0 is a size, which op sets
/// below 14 cannot say.
inline Value reshaped(Translation& t, const Value& value, const std::vector<Size>& all) {
  std::vector<std::int64_t> target;
  bool has_zero = false;
  for (const Size& size : all) {
    target.push_back(size.known.value_or(-1));
    has_zero = has_zero || size.known == 0;
  }
  const auto unknown = std::count(target.begin(), target.end(), -1);
  if (!has_zero && unknown <= 1) return t.op("Reshape", {value, t.integers(target)});
  AttributeMap attributes;
  if (t.opset >= 14) attributes.set("allowzero", 1);
  return t.op("Reshape", {value, vector_of(t, all)}, std::move(attributes));
}

/// Input `i` in an element type.
inline Value typed_input(Translation& t, std::size_t i, ElementType type) {
  return t.node.input_type(i).element_type == type ? t.input(i) : t.cast(t.input(i), type);
}

/// Input `i`, which is one number, as a vector of i64.
inline Value one_as_vector(Translation& t, std::size_t i) {
  if (const auto known = constant_integers_of(t.node.input(i)); known && known->size() == 1) return t.integers(*known);
  return t.node.input_type(i).rank() == 1 ? t.input_i64(i) : t.op("Reshape", {t.input_i64(i), t.integers({1})});
}

/// A scalar of i64; Translation::scalar keeps 53 bits.
inline Value scalar(Translation& t, std::int64_t value) {
  return t.constant(*from_integers(ElementType::i64, {}, {value}));
}

/// Input `i`, which is one number, as a scalar of i64.
inline Value one_as_scalar(Translation& t, std::size_t i) {
  if (const auto known = constant_integers_of(t.node.input(i)); known && known->size() == 1)
    return scalar(t, known->front());
  return t.node.input_type(i).rank() == 0 ? t.input_i64(i) : t.op("Reshape", {t.input_i64(i), t.integers({})});
}

/// A tensor of this shape (a vector of i64), filled with a number.
inline Value filled(Translation& t, const Value& shape, ElementType type, double value) {
  return t.op("ConstantOfShape", {shape}, {{"value", *from_reals(type, {1}, {value})}});
}

/// Numbers 0 to `count` - 1, where `count` is a scalar of i64.
inline Value counted(Translation& t, const Value& count) { return t.op("Range", {scalar(t, 0), count, scalar(t, 1)}); }

/// The output is read: what nothing reads need not be computed.
inline bool is_read(const Translation& t, std::size_t output) {
  return output < t.node.out_port_count() && !t.node.out_port(output).disconnected();
}

/// Indices of i64 in the type that the node asks for.
inline Value as_index_type(Translation& t, const Value& indices, ElementType type) {
  return type == ElementType::i64 ? indices : t.cast(indices, type);
}

}  // namespace mo::onnx_emitter::sizes
