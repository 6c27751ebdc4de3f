#pragma once

#include <algorithm>
#include <optional>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/elementwise_binary.hpp"

/// Conv takes no integers. ConvInteger computes integers of 32 bits of bytes.
namespace mo::onnx_emitter::integer_convolution {

/// Integers of 32 bits as i8 or u8 minus a zero point.
struct Bytes {
  Value numbers;
  Value zero_point;
};

inline bool are_bytes(ElementType type) { return type == ElementType::i8 || type == ElementType::u8; }

inline bool holds(ElementType type, std::int64_t number) {
  return type == ElementType::u8 ? number >= 0 && number <= 255 : number >= -128 && number <= 127;
}

inline Value scalar_of(Translation& t, ElementType type, std::int64_t number) {
  return t.constant(*from_integers(type, {}, {number}));
}

/// Constants are bytes when not more than 256 numbers lie between the smallest and the largest.
inline std::optional<Bytes> bytes_of_constant(Translation& t, const Tensor& value) {
  auto numbers = to_integers(value);
  if (!numbers || numbers->empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(numbers->begin(), numbers->end());
  const bool has_sign = holds(ElementType::i8, *least) && holds(ElementType::i8, *most);
  const std::int64_t zero_point = has_sign ? 0 : std::max<std::int64_t>(0, -*least);
  if (!has_sign && (zero_point > 255 || *most > 255 - zero_point)) return std::nullopt;
  for (std::int64_t& number : *numbers) number += zero_point;
  const ElementType type = has_sign ? ElementType::i8 : ElementType::u8;
  auto bytes = from_integers(type, value.shape(), *numbers);
  if (!bytes) return std::nullopt;
  return Bytes{t.constant(*std::move(bytes)), scalar_of(t, type, zero_point)};
}

/// The bytes that a Cast of ONNX makes integers of; empty for other tensors.
inline Value bytes_before(const Value& integers) {
  const Node cast = integers.node();
  return cast.type() == "onnx::Cast" && are_bytes(cast.input(0).type().element_type) ? cast.input(0) : Value();
}

/// The zero point that `given`, an input of a Subtract, is in `type`; empty when it is several, or not of the type.
/// `made`: the tensor of ONNX for it.
inline Value zero_point_of(Translation& t, const Value& given, const Value& made, ElementType type) {
  if (const auto number = single_integer_of(made)) return holds(type, *number) ? scalar_of(t, type, *number) : Value();
  const auto shape = given.type().shape.to_shape();
  const Value bytes = shape && (shape->empty() || *shape == Shape{1}) ? bytes_before(made) : Value();
  return bytes && bytes.type().element_type == type ? bytes : Value();
}

/// Input `i` of the node, of which `integers` is the tensor of ONNX. Nothing when it is not known to be bytes minus one
/// number.
inline std::optional<Bytes> bytes_of(Translation& t, std::size_t i, const Value& integers) {
  if (const auto* const constant = integers.node().as<Const>()) return bytes_of_constant(t, constant->value);
  if (const Value bytes = bytes_before(integers)) return Bytes{bytes, scalar_of(t, bytes.type().element_type, 0)};
  const Node subtract = t.node.input(i).node();
  const Node made = integers.node();
  if (!subtract.is<ops::Subtract>() || made.type() != "onnx::Sub") return std::nullopt;
  const Value bytes = bytes_before(made.input(0));
  if (!bytes) return std::nullopt;
  const Value zero_point = zero_point_of(t, subtract.input(1), made.input(1), bytes.type().element_type);
  return zero_point ? std::optional(Bytes{bytes, zero_point}) : std::nullopt;
}

/// Nothing when ConvInteger cannot compute it.
inline std::optional<Value> result(Translation& t, const Value& data, const Value& filters,
                                   const AttributeMap& attributes) {
  if (t.node.output_type().element_type != ElementType::i32) return std::nullopt;
  const auto x = bytes_of(t, 0, data);
  const auto w = x ? bytes_of(t, 1, filters) : std::nullopt;
  if (!w) return std::nullopt;
  return t.op("ConvInteger", {x->numbers, w->numbers, x->zero_point, w->zero_point}, attributes);
}

}  // namespace mo::onnx_emitter::integer_convolution
