#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// `data` with dimensions of size 1 inserted; input 1 lists where they are in the result.
struct Unsqueeze {
  static constexpr OpId id{"Unsqueeze", 0};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.reinterprets = true, .moves_elements = 0b1, .shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace mo::ops
