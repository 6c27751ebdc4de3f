#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// data[start:stop:step] on `axes` (all from the first on, when there is no input 4), by Python's rules: negative
/// bounds and axes count from the back, bounds are clamped, steps may be negative.
struct Slice {
  static constexpr OpId id{"Slice", 8};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b11110};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10000, .per_axis_inputs = 0b1110};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// `data` with data[start:stop:step] replaced by `updates`, which has the shape of that slice.
struct SliceScatter {
  static constexpr OpId id{"SliceScatter", 15};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b11, .shape_inputs = 0b111100};
  static constexpr LayoutRule layout_rule{
      .follows = true, .data_inputs = 0b11, .axes_inputs = 0b100000, .per_axis_inputs = 0b11100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
