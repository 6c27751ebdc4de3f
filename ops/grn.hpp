#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Global response normalisation: data / sqrt(bias + sum of squares across channels), channels are dimension 1.
struct GRN {
  static constexpr OpId id{"GRN", 0};
  double bias = 1;
  static constexpr auto attributes = Attributes{attr("bias", &GRN::bias)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
