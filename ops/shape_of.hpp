#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v0 {

/// The dimensions of the input as a vector of i64.
struct ShapeOf {
  static constexpr OpId id{"ShapeOf", 0};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.shape_of = true};
  static constexpr LayoutRule layout_rule{.indifferent_inputs = 0b1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

namespace v3 {

/// The dimensions of the input as a vector of `output_type` (i32 or i64).
struct ShapeOf {
  static constexpr OpId id{"ShapeOf", 3};
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes = Attributes{attr("output_type", &ShapeOf::output_type)};
  static constexpr OpTraits traits{.shape_of = true};
  static constexpr LayoutRule layout_rule{.indifferent_inputs = 0b1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v3

using v3::ShapeOf;

}  // namespace mo::ops
