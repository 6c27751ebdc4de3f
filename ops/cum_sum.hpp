#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Sums of all elements up to each place along the axis in input 1 (0 without it). `exclusive` leaves the element at
/// the place out; `reverse` sums from the end.
struct CumSum {
  static constexpr OpId id{"CumSum", 0, 3};
  bool exclusive = false;
  bool reverse = false;
  static constexpr auto attributes =
      Attributes{attr("exclusive", &CumSum::exclusive), attr("reverse", &CumSum::reverse)};
  static constexpr OpTraits traits{.shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
