#pragma once

#include "ops/reference/elementwise_binary.hpp"
#include "ops/support/auto_broadcast.hpp"

namespace mo::ops {

using reference::BinaryKind;

struct BinaryRow {
  BinaryKind kind;
  OpId id;
  bool commutative;
};

inline constexpr std::array kBinaryRows{
    BinaryRow{BinaryKind::add, {"Add", 1}, true},
    BinaryRow{BinaryKind::subtract, {"Subtract", 1}, false},
    BinaryRow{BinaryKind::multiply, {"Multiply", 1}, true},
    BinaryRow{BinaryKind::power, {"Power", 1}, false},
    BinaryRow{BinaryKind::maximum, {"Maximum", 1}, true},
    BinaryRow{BinaryKind::minimum, {"Minimum", 1}, true},
    BinaryRow{BinaryKind::mod, {"Mod", 1}, false},
    BinaryRow{BinaryKind::floor_mod, {"FloorMod", 1}, false},
    BinaryRow{BinaryKind::squared_difference, {"SquaredDifference", 0}, true},
};

constexpr bool binary_rows_in_order() {
  for (std::size_t i = 0; i < kBinaryRows.size(); ++i)
    if (static_cast<std::size_t>(kBinaryRows[i].kind) != i) return false;
  return true;
}
static_assert(binary_rows_in_order(), "kBinaryRows is indexed by the enumerator");

namespace detail {
Expected<void> infer_binary(InferContext& ctx, BinaryKind kind, const BroadcastRule& rule);
Expected<void> evaluate_binary(EvalContext& ctx, BinaryKind kind, const BroadcastRule& rule);
}  // namespace detail

/// Arithmetic on two numbers of the same type, element by element.
template <BinaryKind K>
struct Binary {
  static constexpr const BinaryRow& row = kBinaryRows[static_cast<std::size_t>(K)];
  static constexpr OpId id = row.id;
  AutoBroadcast auto_broadcast = AutoBroadcast::numpy;
  std::int64_t auto_broadcast_axis = -1;
  static constexpr auto attributes = Attributes{attr("auto_broadcast", &Binary::auto_broadcast),
                                                attr("auto_broadcast_axis", &Binary::auto_broadcast_axis).optional()};
  static constexpr OpTraits traits{.commutative = row.commutative, .elementwise = true};
  Expected<void> infer(InferContext& ctx) const {
    return detail::infer_binary(ctx, K, {auto_broadcast, auto_broadcast_axis});
  }
  Expected<void> evaluate(EvalContext& ctx) const {
    return detail::evaluate_binary(ctx, K, {auto_broadcast, auto_broadcast_axis});
  }
};

using Add = Binary<BinaryKind::add>;
using Subtract = Binary<BinaryKind::subtract>;
using Multiply = Binary<BinaryKind::multiply>;
using Power = Binary<BinaryKind::power>;  ///< input 0 to the power of input 1
using Maximum = Binary<BinaryKind::maximum>;
using Minimum = Binary<BinaryKind::minimum>;
using Mod = Binary<BinaryKind::mod>;             ///< remainder with the sign of the dividend, as fmod in C
using FloorMod = Binary<BinaryKind::floor_mod>;  ///< remainder with the sign of the divisor, as % in Python
using SquaredDifference = Binary<BinaryKind::squared_difference>;

/// Quotient. `m_pythondiv` is about integers only: round towards minus infinity (true) or towards zero (false).
struct Divide {
  static constexpr OpId id{"Divide", 1};
  AutoBroadcast auto_broadcast = AutoBroadcast::numpy;
  std::int64_t auto_broadcast_axis = -1;
  bool m_pythondiv = true;
  static constexpr auto attributes = Attributes{attr("auto_broadcast", &Divide::auto_broadcast),
                                                attr("auto_broadcast_axis", &Divide::auto_broadcast_axis).optional(),
                                                attr("m_pythondiv", &Divide::m_pythondiv)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const {
    return detail::infer_binary(ctx, kind(), {auto_broadcast, auto_broadcast_axis});
  }
  Expected<void> evaluate(EvalContext& ctx) const {
    return detail::evaluate_binary(ctx, kind(), {auto_broadcast, auto_broadcast_axis});
  }
  BinaryKind kind() const { return m_pythondiv ? BinaryKind::divide_floor : BinaryKind::divide_truncate; }
};

}  // namespace mo::ops
