#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The inverse of each matrix [..., n, n], or of its adjoint, which is its transpose. Numbers of a matrix that has none
/// are not finite.
struct Inverse {
  static constexpr OpId id{"Inverse", 14};
  bool adjoint = false;
  static constexpr auto attributes = Attributes{attr("adjoint", &Inverse::adjoint)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
