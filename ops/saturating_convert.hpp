#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The elements as another type, limited to its range (core/tensor/saturating_convert.hpp). For recipes of constants;
/// not an op of the IR.
struct SaturatingConvert {
  static constexpr OpId id{"SaturatingConvert", "mo"};
  ElementType destination_type = ElementType::f32;
  static constexpr auto attributes = Attributes{attr("destination_type", &SaturatingConvert::destination_type)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
