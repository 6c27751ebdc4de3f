#pragma once

#include "ops/reference/bitwise.hpp"
#include "ops/support/auto_broadcast.hpp"

namespace mo::ops {

using reference::BitwiseKind;

struct BitwiseRow {
  BitwiseKind kind;
  OpId id;
  ElementKind elements;
  bool commutative;
};

inline constexpr std::array kBitwiseRows{
    BitwiseRow{BitwiseKind::and_, {"BitwiseAnd", 13}, kBooleanOrWholeNumber, true},
    BitwiseRow{BitwiseKind::or_, {"BitwiseOr", 13}, kBooleanOrWholeNumber, true},
    BitwiseRow{BitwiseKind::xor_, {"BitwiseXor", 13}, kBooleanOrWholeNumber, true},
    BitwiseRow{BitwiseKind::left_shift, {"BitwiseLeftShift", 15}, kWholeNumber, false},
    BitwiseRow{BitwiseKind::right_shift, {"BitwiseRightShift", 15}, kWholeNumber, false},
};

constexpr bool bitwise_rows_in_order() {
  for (std::size_t i = 0; i < kBitwiseRows.size(); ++i)
    if (static_cast<std::size_t>(kBitwiseRows[i].kind) != i) return false;
  return true;
}
static_assert(bitwise_rows_in_order(), "kBitwiseRows is indexed by the enumerator");

namespace detail {
Expected<void> infer_bitwise(InferContext& ctx, const BitwiseRow& row, const BroadcastRule& rule);
Expected<void> evaluate_bitwise(EvalContext& ctx, BitwiseKind kind, const BroadcastRule& rule);
}  // namespace detail

/// A function of the bits of two integers, element by element.
template <BitwiseKind K>
struct Bitwise {
  static constexpr const BitwiseRow& row = kBitwiseRows[static_cast<std::size_t>(K)];
  static constexpr OpId id = row.id;
  AutoBroadcast auto_broadcast = AutoBroadcast::numpy;
  std::int64_t auto_broadcast_axis = -1;
  static constexpr auto attributes = Attributes{attr("auto_broadcast", &Bitwise::auto_broadcast),
                                                attr("auto_broadcast_axis", &Bitwise::auto_broadcast_axis).optional()};
  static constexpr OpTraits traits{.commutative = row.commutative, .elementwise = true};
  Expected<void> infer(InferContext& ctx) const {
    return detail::infer_bitwise(ctx, row, {auto_broadcast, auto_broadcast_axis});
  }
  Expected<void> evaluate(EvalContext& ctx) const {
    return detail::evaluate_bitwise(ctx, K, {auto_broadcast, auto_broadcast_axis});
  }
};

using BitwiseAnd = Bitwise<BitwiseKind::and_>;
using BitwiseOr = Bitwise<BitwiseKind::or_>;
using BitwiseXor = Bitwise<BitwiseKind::xor_>;
using BitwiseLeftShift = Bitwise<BitwiseKind::left_shift>;    ///< input 0 shifted by input 1 bits
using BitwiseRightShift = Bitwise<BitwiseKind::right_shift>;  ///< arithmetic for signed types

/// Every bit inverted; of a boolean the logical negation.
struct BitwiseNot {
  static constexpr OpId id{"BitwiseNot", 13};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
