#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Limits every element to [min, max]. An open end is the largest finite f32: the IR has no text for infinity.
struct Clamp {
  static constexpr OpId id{"Clamp", 0};
  static constexpr double kOpenEnd = 3.4028234663852886e38;
  double min = -kOpenEnd;
  double max = kOpenEnd;
  static constexpr auto attributes = Attributes{attr("min", &Clamp::min), attr("max", &Clamp::max)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
