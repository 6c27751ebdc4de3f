#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// All inputs one after the other along `axis`; a negative axis counts from the back.
struct Concat {
  static constexpr OpId id{"Concat", 0};
  std::int64_t axis = 0;
  static constexpr auto attributes = Attributes{attr("axis", &Concat::axis)};
  static constexpr OpTraits traits{.moves_elements = ~0U};
  static constexpr LayoutRule layout_rule{.follows = true, .data_inputs = ~0U, .axes_attributes = {"axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
