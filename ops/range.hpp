#pragma once

#include "core/op.hpp"

namespace mo::ops {

namespace v0 {

/// start, start + step, … before stop: a vector. The three scalars have the element type of the result.
struct Range {
  static constexpr OpId id{"Range", 0};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.shape_inputs = 0b111};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v0

namespace v4 {

/// As opset1 for scalars of any number types; the result is of `output_type`. Reals are truncated before when that is
/// an integer type.
struct Range {
  static constexpr OpId id{"Range", 4};
  ElementType output_type = ElementType::i64;
  static constexpr auto attributes = Attributes{attr("output_type", &Range::output_type)};
  static constexpr OpTraits traits{.shape_inputs = 0b111};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v4

using v4::Range;

}  // namespace mo::ops
