#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// result[i, j, k] = data[i, indices[i, j, k], k] for axis 1: one element for each index. A negative axis or index
/// counts from the back; an index outside of the dimension is an error when the op is evaluated.
struct GatherElements {
  static constexpr OpId id{"GatherElements", 6};
  std::int64_t axis = 0;
  static constexpr auto attributes = Attributes{attr("axis", &GatherElements::axis)};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  static constexpr LayoutRule layout_rule{.follows = true, .data_inputs = 0b11, .axes_attributes = {"axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
