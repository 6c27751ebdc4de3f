#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Dimension i of the result is dimension order[i] of `data`; an empty order reverses the dimensions.
struct Transpose {
  static constexpr OpId id{"Transpose", 1};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.fills_outputs = true, .moves_elements = 0b1, .shape_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  Expected<void> evaluate_rows(EvalContext& ctx, std::int64_t first) const;
};

}  // namespace mo::ops
