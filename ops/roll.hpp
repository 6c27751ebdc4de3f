#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Shifts the elements along the axes in input 2 by the distances in input 1; what leaves at the end comes back at the
/// beginning. One distance may serve all axes; distances of an axis that is named twice add up.
struct Roll {
  static constexpr OpId id{"Roll", 7};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b110};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
