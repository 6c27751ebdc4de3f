#pragma once

#include "ops/reference/comparison.hpp"
#include "ops/support/auto_broadcast.hpp"

namespace mo::ops {

using reference::ComparisonKind;

struct ComparisonRow {
  ComparisonKind kind;
  OpId id;
  bool commutative;
};

inline constexpr std::array kComparisonRows{
    ComparisonRow{ComparisonKind::equal, {"Equal", 1}, true},
    ComparisonRow{ComparisonKind::not_equal, {"NotEqual", 1}, true},
    ComparisonRow{ComparisonKind::greater, {"Greater", 1}, false},
    ComparisonRow{ComparisonKind::greater_equal, {"GreaterEqual", 1}, false},
    ComparisonRow{ComparisonKind::less, {"Less", 1}, false},
    ComparisonRow{ComparisonKind::less_equal, {"LessEqual", 1}, false},
};

constexpr bool comparison_rows_in_order() {
  for (std::size_t i = 0; i < kComparisonRows.size(); ++i)
    if (static_cast<std::size_t>(kComparisonRows[i].kind) != i) return false;
  return true;
}
static_assert(comparison_rows_in_order(), "kComparisonRows is indexed by the enumerator");

namespace detail {
Expected<void> infer_comparison(InferContext& ctx, const BroadcastRule& rule);
Expected<void> evaluate_comparison(EvalContext& ctx, ComparisonKind kind, const BroadcastRule& rule);
}  // namespace detail

/// Compares two tensors of the same element type (any), element by element; the result is boolean.
template <ComparisonKind K>
struct Comparison {
  static constexpr const ComparisonRow& row = kComparisonRows[static_cast<std::size_t>(K)];
  static constexpr OpId id = row.id;
  AutoBroadcast auto_broadcast = AutoBroadcast::numpy;
  std::int64_t auto_broadcast_axis = -1;
  static constexpr auto attributes =
      Attributes{attr("auto_broadcast", &Comparison::auto_broadcast),
                 attr("auto_broadcast_axis", &Comparison::auto_broadcast_axis).optional()};
  static constexpr OpTraits traits{.commutative = row.commutative, .elementwise = true};
  Expected<void> infer(InferContext& ctx) const {
    return detail::infer_comparison(ctx, {auto_broadcast, auto_broadcast_axis});
  }
  Expected<void> evaluate(EvalContext& ctx) const {
    return detail::evaluate_comparison(ctx, K, {auto_broadcast, auto_broadcast_axis});
  }
};

using Equal = Comparison<ComparisonKind::equal>;
using NotEqual = Comparison<ComparisonKind::not_equal>;
using Greater = Comparison<ComparisonKind::greater>;
using GreaterEqual = Comparison<ComparisonKind::greater_equal>;
using Less = Comparison<ComparisonKind::less>;
using LessEqual = Comparison<ComparisonKind::less_equal>;

}  // namespace mo::ops
