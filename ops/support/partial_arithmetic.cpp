#include "ops/support/partial_arithmetic.hpp"

#include <algorithm>
#include <array>

#include "ops/reference/broadcast.hpp"

namespace mo::ops {
namespace {

using reference::BinaryKind;
using reference::UnaryKind;

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

bool is_negative(const Dimension& d) { return d.min() < 0; }

/// Whether `value` is an element of integer type `type`.
bool fits(ElementType type, std::int64_t value) {
  const std::size_t bits = bit_width(type);
  if (!is_signed(type)) return value >= 0 && (bits >= 64 || value >> bits == 0);
  return bits >= 64 || (value >= -(std::int64_t{1} << (bits - 1)) && value < std::int64_t{1} << (bits - 1));
}

/// What overflows the type is not known: at run time it wraps around.
Dimension limited_to(ElementType type, const Dimension& d) {
  return !d.is_known() || fits(type, d.value()) ? d : Dimension();
}

std::optional<std::int64_t> floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0 || (a == kLowest && b == -1)) return std::nullopt;
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::optional<std::int64_t> calculate(BinaryKind kind, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (kind) {
    case BinaryKind::add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BinaryKind::subtract: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BinaryKind::multiply: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case BinaryKind::maximum: return std::max(a, b);
    case BinaryKind::minimum: return std::min(a, b);
    case BinaryKind::divide_floor: return floor_divide(a, b);
    case BinaryKind::divide_truncate: return b == 0 || (a == kLowest && b == -1) ? std::nullopt : std::optional(a / b);
    case BinaryKind::mod: return b == 0 ? std::nullopt : std::optional(b == -1 ? 0 : a % b);
    case BinaryKind::floor_mod: {
      if (b == 0) return std::nullopt;
      const std::int64_t remainder = b == -1 ? 0 : a % b;
      return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
    }
    case BinaryKind::power:
    case BinaryKind::squared_difference: break;
  }
  return std::nullopt;
}

/// a - b for non-negative intervals. Nothing is claimed when the difference may only be 0 or negative.
Dimension difference(const Dimension& a, const Dimension& b) {
  if (b == Dimension(0)) return a;
  if (a.symbol() != 0 && a.symbol() == b.symbol()) return 0;
  const Dimension result = a - b;
  return result == Dimension(0) ? Dimension() : result;
}

/// The sum of an unknown element and a known one of either sign.
Dimension shifted(const Dimension& d, std::int64_t by) {
  if (by >= 0) return d + Dimension(by);
  return by == kLowest ? Dimension() : difference(d, Dimension(-by));
}

Dimension larger(const Dimension& a, const Dimension& b) {
  if (a.min() >= b.max()) return a;
  if (b.min() >= a.max()) return b;
  return {std::max(a.min(), b.min()), std::max(a.max(), b.max())};
}

/// An interval that starts at 0 may stand for a negative number (a difference), so only bounds above 0 count.
Dimension smaller(const Dimension& a, const Dimension& b) {
  if (a.max() <= 0 || b.max() <= 0) return {};
  if (a.max() <= b.min()) return a;
  if (b.max() <= a.min()) return b;
  return {std::min(a.min(), b.min()), std::min(a.max(), b.max())};
}

Dimension quotient(const Dimension& a, const Dimension& b) {
  if (is_negative(a) || is_negative(b)) return {};
  if (b.is_known()) return b.value() > 0 ? a.floor_div(b.value()) : Dimension();
  return {0, a.max()};
}

Dimension remainder(const Dimension& a, const Dimension& b) {
  if (!b.is_known() || b.value() <= 0 || is_negative(a)) return {};
  return {0, std::min(a.max(), b.value() - 1)};
}

}  // namespace

Dimension combine(BinaryKind kind, const Dimension& a, const Dimension& b) {
  if (a.is_known() && b.is_known()) {
    const auto result = calculate(kind, a.value(), b.value());
    return result ? Dimension(*result) : Dimension();
  }
  switch (kind) {
    case BinaryKind::add:
      if (a.is_known()) return shifted(b, a.value());
      return b.is_known() ? shifted(a, b.value()) : a + b;
    case BinaryKind::subtract:
      if (is_negative(a)) return {};
      if (is_negative(b)) return b.value() == kLowest ? Dimension() : shifted(a, -b.value());
      return difference(a, b);
    case BinaryKind::multiply:
      return a != Dimension(0) && b != Dimension(0) && (is_negative(a) || is_negative(b)) ? Dimension() : a * b;
    case BinaryKind::maximum: return a.same_value(b) ? a : larger(a, b);
    case BinaryKind::minimum: return a.same_value(b) ? a : smaller(a, b);
    case BinaryKind::divide_floor:
    case BinaryKind::divide_truncate: return quotient(a, b);
    case BinaryKind::mod:
    case BinaryKind::floor_mod: return remainder(a, b);
    case BinaryKind::power:
    case BinaryKind::squared_difference: break;
  }
  return {};
}

std::optional<PartialValue> partial_binary(const InferContext& ctx, BinaryKind kind, const BroadcastRule& rule) {
  if (ctx.value(0) && ctx.value(1)) return std::nullopt;
  const ElementType type = ctx.input_element_type(0);
  if (!is_integral(type) || ctx.input_element_type(1) != type || rule.mode == AutoBroadcast::pdpd) return std::nullopt;
  const auto a = ctx.partial(0);
  const auto b = a ? ctx.partial(1) : std::nullopt;
  if (!b) return std::nullopt;
  const auto shape = broadcast(PartialShape(a->shape), PartialShape(b->shape));
  const auto known_shape = shape ? shape->to_shape() : std::nullopt;
  const auto count = known_shape ? element_count(*known_shape) : std::nullopt;
  if (!count || *count > kMaxPartialElements) return std::nullopt;
  PartialValue result{*known_shape, std::vector<Dimension>(static_cast<std::size_t>(*count))};
  reference::broadcast_binary(a->elements.data(), a->shape, b->elements.data(), b->shape, result.elements.data(),
                              result.shape, [&](const Dimension& x, const Dimension& y) {
                                const Dimension made = limited_to(type, combine(kind, x, y));
                                const bool is_product =
                                    kind == BinaryKind::multiply && !made.is_known() && made.symbol() == 0;
                                return is_product ? ctx.quotient(std::array{x, y}, {}, made) : made;
                              });
  return result;
}

std::optional<PartialValue> partial_unary(const InferContext& ctx, UnaryKind kind) {
  const ElementType type = ctx.input_element_type(0);
  if (ctx.value(0) || !is_integral(type)) return std::nullopt;
  if (kind != UnaryKind::negative && kind != UnaryKind::floor && kind != UnaryKind::ceiling) return std::nullopt;
  auto value = ctx.partial(0);
  if (!value || kind != UnaryKind::negative) return value;
  for (Dimension& d : value->elements)
    d = d.is_known() && d.value() != kLowest ? limited_to(type, Dimension(-d.value())) : Dimension();
  return value;
}

std::optional<PartialValue> partial_convert(const InferContext& ctx, ElementType type) {
  if (ctx.value(0) || !is_integral(ctx.input_element_type(0)) || !is_integral(type)) return std::nullopt;
  auto value = ctx.partial(0);
  if (value)
    for (Dimension& d : value->elements) d = limited_to(type, d);
  return value;
}

}  // namespace mo::ops
