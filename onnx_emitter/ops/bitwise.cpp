#include "ops/bitwise.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The bits of an integer of up to 32 bits, each 0 or 1 in i64, in a new last dimension. Negative numbers count from
/// 2^width backwards.
Value bits_of(Translation& t, const Value& value, std::int64_t width) {
  std::vector<std::int64_t> powers;
  for (std::int64_t i = 0; i < width; ++i) powers.push_back(std::int64_t{1} << i);
  const Value size = t.integers({std::int64_t{1} << width});
  const Value positive = t.op("Mod", {t.cast(value, ElementType::i64), size}, {{"fmod", 0}});
  const Value column = t.with_axes("Unsqueeze", positive, {-1});
  return t.op("Mod", {t.op("Div", {column, t.integers(powers)}), t.integers({2})}, {{"fmod", 0}});
}

/// The integer of these bits.
Value integer_of(Translation& t, const Value& bits, std::int64_t width, ElementType type) {
  std::vector<std::int64_t> powers;
  for (std::int64_t i = 0; i < width; ++i) powers.push_back(std::int64_t{1} << i);
  if (is_signed(type)) powers.back() = -powers.back();
  const Value sum = t.with_axes("ReduceSum", t.op("Mul", {bits, t.integers(powers)}), {-1}, {{"keepdims", 0}});
  return t.cast(sum, type);
}

/// Op sets below 18 have no operators on bits: both are taken apart.
Expected<Outputs> by_bits(Translation& t, std::string_view logical, const Value& second) {
  const ElementType type = t.node.output_type().element_type;
  const auto width = static_cast<std::int64_t>(bit_width(type));
  if (width > 32 || width < 8) return t.needs_opset(18);
  const Value a = bits_of(t, t.input(0), width);
  const Value b = bits_of(t, second, width);
  const Value product = t.op("Mul", {a, b});
  Value bits = product;
  if (logical != "And") bits = t.op("Sub", {t.op("Add", {a, b}), product});
  if (logical == "Xor") bits = t.op("Sub", {bits, product});
  return Outputs{integer_of(t, bits, width, type)};
}

/// Of booleans the logical operator does the same.
template <class Op>
OnnxForm bitwise_pair(const char* type, const char* logical) {
  return [=](Translation& t) -> Expected<Outputs> {
    const auto& op = *t.node.as<Op>();
    const bool is_logical = t.node.output_type().element_type == ElementType::boolean;
    const Value second = t.aligned(1, op.auto_broadcast, op.auto_broadcast_axis);
    if (!is_logical && t.opset < 18) return by_bits(t, logical, second);
    return Outputs{t.op(is_logical ? logical : type, {t.input(0), second})};
  };
}

Expected<Outputs> bitwise_not(Translation& t) {
  if (t.node.output_type().element_type == ElementType::boolean) return Outputs{t.op("Not", {t.input(0)})};
  const ElementType type = t.node.output_type().element_type;
  if (t.opset < 18 && is_signed(type)) return Outputs{t.op("Sub", {t.scalar(type, -1), t.input(0)})};
  if (t.opset < 18 && bit_width(type) <= 32) {
    const auto largest = static_cast<double>((std::int64_t{1} << bit_width(type)) - 1);
    const Value given = t.cast(t.input(0), ElementType::i64);
    return Outputs{t.cast(t.op("Sub", {t.scalar(ElementType::i64, largest), given}), type)};
  }
  if (t.opset < 18) return t.needs_opset(18);
  return Outputs{t.op("BitwiseNot", {t.input(0)})};
}

/// The unsigned type of the same width. Cast keeps the bits of integers of the same width.
ElementType unsigned_type(ElementType type) {
  switch (type) {
    case ElementType::i8: return ElementType::u8;
    case ElementType::i16: return ElementType::u16;
    case ElementType::i32: return ElementType::u32;
    case ElementType::i64: return ElementType::u64;
    default: return type;
  }
}

/// BitShift takes unsigned integers. To the right, a negative x is shifted as -1 - x, which is not negative: (-1 - x)
/// >> n = -1 - (x >> n).
template <class Op>
Expected<Outputs> bit_shift(Translation& t, bool to_left) {
  const auto& op = *t.node.as<Op>();
  const ElementType type = t.node.output_type().element_type;
  const auto width = static_cast<std::int64_t>(bit_width(type));
  const auto counts = integers_of(t.node.input(1));
  if (counts && std::any_of(counts->begin(), counts->end(), [&](std::int64_t n) { return n >= width; }))
    return t.refused("a shift by all bits of an element");
  const Value by = t.aligned(1, op.auto_broadcast, op.auto_broadcast_axis);
  const AttributeMap attributes{{"direction", to_left ? "LEFT" : "RIGHT"}};
  const ElementType shifted = unsigned_type(type);
  if (shifted == type) return Outputs{t.op("BitShift", {t.input(0), by}, attributes)};
  const auto shift = [&](const Value& x) {
    return t.cast(t.op("BitShift", {t.cast(x, shifted), t.cast(by, shifted)}, attributes), type);
  };
  if (to_left) return Outputs{shift(t.input(0))};
  const Value minus_one = t.scalar(type, -1);
  const Value is_negative = t.op("Less", {t.input(0), t.scalar(type, 0)});
  const Value opposite = t.op("Sub", {minus_one, t.input(0)});
  const Value result = shift(t.op("Where", {is_negative, opposite, t.input(0)}));
  return Outputs{t.op("Where", {is_negative, t.op("Sub", {minus_one, result}), result})};
}

}  // namespace

void register_bitwise(OnnxForms& table) {
  table.add<ops::BitwiseAnd>(bitwise_pair<ops::BitwiseAnd>("BitwiseAnd", "And"));
  table.add<ops::BitwiseOr>(bitwise_pair<ops::BitwiseOr>("BitwiseOr", "Or"));
  table.add<ops::BitwiseXor>(bitwise_pair<ops::BitwiseXor>("BitwiseXor", "Xor"));
  table.add<ops::BitwiseNot>(bitwise_not);
  table.add<ops::BitwiseLeftShift>([](Translation& t) { return bit_shift<ops::BitwiseLeftShift>(t, true); });
  table.add<ops::BitwiseRightShift>([](Translation& t) { return bit_shift<ops::BitwiseRightShift>(t, false); });
}

}  // namespace mo::onnx_emitter
