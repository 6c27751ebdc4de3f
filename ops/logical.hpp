#pragma once

#include "ops/reference/logical.hpp"
#include "ops/support/auto_broadcast.hpp"

namespace mo::ops {

using reference::LogicalKind;

struct LogicalRow {
  LogicalKind kind;
  OpId id;
};

/// Xor is the name of LogicalXor in opset1 only.
inline constexpr std::array kLogicalRows{
    LogicalRow{LogicalKind::and_, {"LogicalAnd", 1}},
    LogicalRow{LogicalKind::or_, {"LogicalOr", 1}},
    LogicalRow{LogicalKind::xor_, {"LogicalXor", 1}},
    LogicalRow{LogicalKind::xor_, {"Xor", 0}},
};

namespace detail {
Expected<void> infer_logical(InferContext& ctx, const BroadcastRule& rule);
Expected<void> evaluate_logical(EvalContext& ctx, LogicalKind kind, const BroadcastRule& rule);
}  // namespace detail

/// Row `R` of the table: a function of two truth values, element by element.
template <std::size_t R>
struct Logical {
  static constexpr const LogicalRow& row = kLogicalRows[R];
  static constexpr OpId id = row.id;
  AutoBroadcast auto_broadcast = AutoBroadcast::numpy;
  std::int64_t auto_broadcast_axis = -1;
  static constexpr auto attributes = Attributes{attr("auto_broadcast", &Logical::auto_broadcast),
                                                attr("auto_broadcast_axis", &Logical::auto_broadcast_axis).optional()};
  static constexpr OpTraits traits{.commutative = true, .elementwise = true};
  Expected<void> infer(InferContext& ctx) const {
    return detail::infer_logical(ctx, {auto_broadcast, auto_broadcast_axis});
  }
  Expected<void> evaluate(EvalContext& ctx) const {
    return detail::evaluate_logical(ctx, row.kind, {auto_broadcast, auto_broadcast_axis});
  }
};

using LogicalAnd = Logical<0>;
using LogicalOr = Logical<1>;
using LogicalXor = Logical<2>;
using Xor = Logical<3>;

/// True where the input is false.
struct LogicalNot {
  static constexpr OpId id{"LogicalNot", 1};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
