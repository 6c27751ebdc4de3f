#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Normalises mean and variance over `num_groups` groups of neighbouring channels (dimension 1) and all spatial
/// dimensions, then applies scale (input 1) and bias (input 2) per channel.
struct GroupNormalization {
  static constexpr OpId id{"GroupNormalization", 12};
  std::int64_t num_groups = 1;
  double epsilon = 1e-5;
  static constexpr auto attributes =
      Attributes{attr("num_groups", &GroupNormalization::num_groups), attr("epsilon", &GroupNormalization::epsilon)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
