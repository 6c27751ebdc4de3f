#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Matrices of num_rows x num_columns (inputs 0 and 1) with ones on the diagonal diagonal_index (input 2; positive:
/// above the main one), as many as batch_shape (input 3) says.
struct Eye {
  static constexpr OpId id{"Eye", 9};
  ElementType output_type = ElementType::f32;
  static constexpr auto attributes = Attributes{attr("output_type", &Eye::output_type)};
  static constexpr OpTraits traits{.shape_inputs = 0b1111};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
