#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Matrix product of the last two dimensions, the others broadcast as in numpy. A 1-D input is a row (first) or a
/// column (second) whose dimension does not show up in the result; the transpose flags do not apply to it.
struct MatMul {
  static constexpr OpId id{"MatMul", 0};
  bool transpose_a = false;
  bool transpose_b = false;
  static constexpr auto attributes =
      Attributes{attr("transpose_a", &MatMul::transpose_a), attr("transpose_b", &MatMul::transpose_b)};
  static constexpr LayoutRule layout_rule{.not_an_image = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
