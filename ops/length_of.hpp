#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The length of the input along `axis`, a vector of one i64. Only inside of mo: the pass KnownLengths makes it a
/// constant where shapes tell it, and Gather(ShapeOf) elsewhere. A ShapeOf stays in a static model so that it can be
/// reshaped; what only serves to compute weights and places of elements had better be a constant.
struct LengthOf {
  static constexpr OpId id{"LengthOf", "mo"};
  static constexpr OpTraits traits{.shape_of = true};
  static constexpr LayoutRule layout_rule{.indifferent_inputs = 0b1};
  std::int64_t axis = 0;
  static constexpr auto attributes = Attributes{attr("axis", &LengthOf::axis)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
