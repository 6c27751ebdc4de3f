#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v0 {

/// (data - mean) / sqrt(variance + epsilon) * gamma + beta per channel (dimension 1). Inputs: gamma, beta, data, mean,
/// variance.
struct BatchNormInference {
  static constexpr OpId id{"BatchNormInference", 0};
  double epsilon = 1e-5;
  static constexpr auto attributes = Attributes{attr("epsilon", &BatchNormInference::epsilon)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

namespace v5 {

/// As opset1, with the inputs data, gamma, beta, mean, variance.
struct BatchNormInference {
  static constexpr OpId id{"BatchNormInference", 5};
  double epsilon = 1e-5;
  static constexpr auto attributes = Attributes{attr("epsilon", &BatchNormInference::epsilon)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v5

using v5::BatchNormInference;

}  // namespace mo::ops
