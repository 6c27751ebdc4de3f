#pragma once

#include "core/op.hpp"

namespace mo::ops {

// Slices of `data` (input 0) along the axis that input 2 gives, one for each of the indices (input 1):
// result = data[:axis] + indices[batch_dims:] + data[axis+1:] in dimensions.
// An index outside of the dimension is an error when the op is evaluated, in every version.

namespace v8 {

/// The first `batch_dims` dimensions of data and indices belong together. A negative index counts from the back.
struct Gather {
  static constexpr OpId id{"Gather", 8};
  std::int64_t batch_dims = 0;
  static constexpr auto attributes = Attributes{attr("batch_dims", &Gather::batch_dims)};
  static constexpr OpTraits traits{.moves_elements = 0b1, .shape_inputs = 0b100};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace v8

namespace v7 {

/// As opset8; indices count from the front.
struct Gather : v8::Gather {
  static constexpr OpId id{"Gather", 7};
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v7

namespace v1 {

/// As opset7, without `batch_dims`.
struct Gather : v7::Gather {
  static constexpr OpId id{"Gather", 1};
  static constexpr Attributes<> attributes{};
};

}  // namespace v1

using v8::Gather;

}  // namespace mo::ops
