#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The indices of all elements that are not 0, in row-major order: a matrix [rank, count], one column for each element.
struct NonZero {
  static constexpr OpId id{"NonZero", 3};
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes = Attributes{attr("output_type", &NonZero::output_type)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
