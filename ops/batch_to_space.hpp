#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Moves batches into blocks of the other dimensions and crops: block_shape, crops_begin and crops_end (inputs 1 to 3)
/// have one number for each dimension; those of the batch are 1, 0 and 0.
struct BatchToSpace {
  static constexpr OpId id{"BatchToSpace", 1, 2};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b1110};
  static constexpr LayoutRule layout_rule{.follows = true, .per_axis_inputs = 0b1110};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace mo::ops
