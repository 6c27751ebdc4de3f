#pragma once

#include "ops/support/auto_broadcast.hpp"

namespace mo::ops {

/// Rounds the data to `levels` equidistant values between input_low and input_high and maps these to output_low …
/// output_high; the type stays real. Inputs: data, input_low, input_high, output_low, output_high; the ranges broadcast
/// to the data, and may have another real type than it, in which the op then computes.
struct FakeQuantize {
  static constexpr OpId id{"FakeQuantize", 0};
  std::int64_t levels = 256;
  AutoBroadcast auto_broadcast = AutoBroadcast::numpy;
  std::int64_t auto_broadcast_axis = -1;
  static constexpr auto attributes =
      Attributes{attr("levels", &FakeQuantize::levels), attr("auto_broadcast", &FakeQuantize::auto_broadcast),
                 attr("auto_broadcast_axis", &FakeQuantize::auto_broadcast_axis).optional()};
  static constexpr OpTraits traits{.elementwise = true, .never_folded = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
