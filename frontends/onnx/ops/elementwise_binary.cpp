#include "ops/elementwise_binary.hpp"

#include <algorithm>
#include <cmath>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/bitwise.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/logical.hpp"
#include "ops/select.hpp"

namespace mo::onnx {
namespace {

/// The broadcast attributes of opsets 1-6: without `broadcast` the shapes are equal, with it the second input is
/// stretched to the first, aligned at `axis`, or at the last dimension when there is none.
template <class T>
Expected<Op> extract_aligned_binary(const FrameworkNode& node, T op) {
  const bool broadcast = node.attr("broadcast", false);
  const auto axis = node.optional_attr<std::int64_t>("axis");
  // Equal shapes, and alignment at the last dimension, are cases of numpy's rule.
  if (!broadcast || !axis || *axis == -1) return op;
  if (*axis < 0)
    return node.error("MO-ONNX-0200", "axis {} counts from the back", *axis)
        .hint("write the axis as a number from 0 on, or export with opset 7 or later");
  op.auto_broadcast = ops::AutoBroadcast::pdpd;
  op.auto_broadcast_axis = *axis;
  return op;
}

/// Rows of an op whose opsets before `numpy_since` have broadcast attributes.
template <class T>
void add_binary(OperatorTable& table, std::string_view name, std::int64_t numpy_since, T op = {}) {
  table.extract(std::string(name), versions(1, numpy_since - 1),
                [op](const FrameworkNode& node) -> Expected<Op> { return extract_aligned_binary(node, op); });
  table.extract(std::string(name), since(numpy_since), [op](const FrameworkNode&) -> Expected<Op> { return op; });
}

template <class T>
void add_plain(OperatorTable& table, std::string_view name, std::int64_t first) {
  table.extract(std::string(name), since(first), [](const FrameworkNode&) -> Expected<Op> { return T{}; });
}

/// Small whole numbers from 0 on are the same in every element type.
bool is_whole(const Value& exponent) {
  const auto numbers = reals_of(exponent);
  return numbers && std::all_of(numbers->begin(), numbers->end(),
                                [](double v) { return v == std::trunc(v) && v >= 0 && v <= 64; });
}

/// ONNX Pow-12: the exponent may have another element type; x ^ y in the type that holds both, then back to that of x.
Replacement power_of_mixed_types(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value base = node.input(0);
  const Value exponent = node.input(1);
  const ElementType type = base.type().element_type;
  if (type != ElementType::dynamic && type == exponent.type().element_type)
    return rw.create(ops::Power{}, base, exponent);
  if (is_whole(exponent) || (is_real(type) && exponent.data().value()))
    return rw.create(ops::Power{}, base, as_type_of(rw, exponent, base));
  const Node both = rw.create_node(ops::ConvertPromoteTypes{.promote_unsafe = true}, {base, exponent}, 2);
  return as_type_of(rw, rw.create(ops::Power{}, both.output(0), both.output(1)), base);
}

/// BitShift-28: a shift by a negative number, or by as many bits as there are, leaves nothing but the sign of a right
/// shift.
Replacement bit_shift_of_any_width(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const auto direction = node.required<std::string>("direction");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.error("MO-ONNX-0201", "direction is \"{}\"", direction).hint("direction is LEFT or RIGHT");
  const Value x = node.input(0);
  const Value bits = node.input(1);
  const ElementType type = x.type().element_type;
  const auto shifted = [&](const Value& by) {
    return direction == "LEFT" ? rw.create(ops::BitwiseLeftShift{}, x, by) : rw.create(ops::BitwiseRightShift{}, x, by);
  };
  if (!is_integral(type)) return shifted(bits);
  const auto width = static_cast<double>(bit_width(type));
  if (const auto known = integers_of(bits); known && std::all_of(known->begin(), known->end(), [&](std::int64_t n) {
                                              return n >= 0 && static_cast<double>(n) < width;
                                            }))
    return shifted(bits);
  const Value zero = rw.scalar_like(x, 0);
  Value is_inside = rw.create(ops::Less{}, bits, rw.scalar_like(bits, width));
  if (is_signed(type))
    is_inside = rw.create(ops::LogicalAnd{}, is_inside, rw.create(ops::GreaterEqual{}, bits, rw.scalar_like(bits, 0)));
  const Value left = shifted(rw.create(ops::Select{}, is_inside, bits, rw.scalar_like(bits, 0)));
  const bool keeps_sign = direction == "RIGHT" && is_signed(type);
  const Value rest =
      keeps_sign ? rw.create(ops::Select{}, rw.create(ops::Less{}, x, zero), rw.scalar_like(x, -1), zero) : zero;
  return rw.create(ops::Select{}, is_inside, left, rest);
}

}  // namespace

void register_elementwise_binary(OperatorTable& table) {
  add_binary<ops::Add>(table, "Add", 7);
  add_binary<ops::Subtract>(table, "Sub", 7);
  add_binary<ops::Multiply>(table, "Mul", 7);
  // ONNX Div rounds integer quotients towards zero.
  add_binary<ops::Divide>(table, "Div", 7, ops::Divide{.m_pythondiv = false});
  add_binary<ops::LogicalAnd>(table, "And", 7);
  add_binary<ops::LogicalOr>(table, "Or", 7);
  add_binary<ops::LogicalXor>(table, "Xor", 7);
  add_binary<ops::Equal>(table, "Equal", 7);
  add_binary<ops::Greater>(table, "Greater", 7);
  add_binary<ops::Less>(table, "Less", 7);
  add_plain<ops::GreaterEqual>(table, "GreaterOrEqual", 12);
  add_plain<ops::LessEqual>(table, "LessOrEqual", 12);
  add_plain<ops::Select>(table, "Where", 9);
  add_plain<ops::BitwiseAnd>(table, "BitwiseAnd", 18);
  add_plain<ops::BitwiseOr>(table, "BitwiseOr", 18);
  add_plain<ops::BitwiseXor>(table, "BitwiseXor", 18);

  table.extract("Pow", versions(1, 6),
                [](const FrameworkNode& node) -> Expected<Op> { return extract_aligned_binary(node, ops::Power{}); });
  table.extract("Pow", versions(7, 11), [](const FrameworkNode&) -> Expected<Op> { return ops::Power{}; });
  table.translate("Pow", since(12), power_of_mixed_types);

  // ONNX Mod-10: the remainder has the sign of the divisor, or with `fmod` that of the dividend.
  table.extract("Mod", since(10), [](const FrameworkNode& node) -> Expected<Op> {
    if (node.attr("fmod", false)) return ops::Mod{};
    return ops::FloorMod{};
  });
  table.translate("BitShift", since(28), bit_shift_of_any_width);
  table.extract("BitShift", versions(11, 27), [](const FrameworkNode& node) -> Expected<Op> {
    const auto direction = node.required<std::string>("direction");
    if (direction == "LEFT") return ops::BitwiseLeftShift{};
    if (direction == "RIGHT") return ops::BitwiseRightShift{};
    return node.error("MO-ONNX-0201", "direction is \"{}\"", direction).hint("direction is LEFT or RIGHT");
  });
}

}  // namespace mo::onnx
