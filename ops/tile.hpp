#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// `data` repeated along each dimension as often as input 1 says; the shorter one of shape and repeats is filled with 1
/// in front.
struct Tile {
  static constexpr OpId id{"Tile", 0};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .per_axis_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
