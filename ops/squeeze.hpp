#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// `data` without the dimensions of size 1 that input 1 lists; without input 1 (or with an empty list), without any
/// dimension of size 1.
struct Squeeze {
  static constexpr OpId id{"Squeeze", 0};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.reinterprets = true, .moves_elements = 0b1, .shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

namespace v15 {

/// As opset1; with `allow_axis_skip` a listed dimension that is not 1 stays instead of being an error.
struct Squeeze {
  static constexpr OpId id{"Squeeze", 15};
  bool allow_axis_skip = false;
  static constexpr auto attributes = Attributes{attr("allow_axis_skip", &Squeeze::allow_axis_skip)};
  static constexpr OpTraits traits{.reinterprets = true, .moves_elements = 0b1, .shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v15

}  // namespace mo::ops
