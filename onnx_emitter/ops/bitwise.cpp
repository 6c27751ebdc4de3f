#include "ops/bitwise.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// Of booleans the logical operator does the same.
template <class Op>
Translator bitwise_pair(const char* type, const char* logical) {
  return [=](Translation& t) -> Expected<Outputs> {
    const auto& op = *t.node.as<Op>();
    const bool is_logical = t.node.output_type().element_type == ElementType::boolean;
    if (!is_logical && t.opset < 18) return t.needs_opset(18);
    const Value second = t.aligned(1, op.auto_broadcast, op.auto_broadcast_axis);
    return Outputs{t.op(is_logical ? logical : type, {t.input(0), second})};
  };
}

Expected<Outputs> bitwise_not(Translation& t) {
  if (t.node.output_type().element_type == ElementType::boolean) return Outputs{t.op("Not", {t.input(0)})};
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

void register_bitwise(TranslatorTable& table) {
  table.add<ops::BitwiseAnd>(bitwise_pair<ops::BitwiseAnd>("BitwiseAnd", "And"));
  table.add<ops::BitwiseOr>(bitwise_pair<ops::BitwiseOr>("BitwiseOr", "Or"));
  table.add<ops::BitwiseXor>(bitwise_pair<ops::BitwiseXor>("BitwiseXor", "Xor"));
  table.add<ops::BitwiseNot>(bitwise_not);
  table.add<ops::BitwiseLeftShift>([](Translation& t) { return bit_shift<ops::BitwiseLeftShift>(t, true); });
  table.add<ops::BitwiseRightShift>([](Translation& t) { return bit_shift<ops::BitwiseRightShift>(t, false); });
}

}  // namespace mo::onnx_emitter
