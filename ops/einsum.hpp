#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Einstein summation: `equation` labels the dimensions of the inputs ("bij,bjk->bik"); labels that the output does not
/// have are summed over. "..." stands for dimensions that broadcast. Without "->" the output has the labels that occur
/// once, in alphabetical order.
struct Einsum {
  static constexpr OpId id{"Einsum", 7};
  std::string equation;
  static constexpr auto attributes = Attributes{attr("equation", &Einsum::equation)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
