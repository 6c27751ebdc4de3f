#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The elements as another type, as C++ converts numbers; reals limit to the range of an integer target.
struct Convert {
  static constexpr OpId id{"Convert", 0};
  ElementType destination_type = ElementType::f32;
  static constexpr auto attributes = Attributes{attr("destination_type", &Convert::destination_type)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Input 0 as the element type of input 1, whose values and shape do not matter.
struct ConvertLike {
  static constexpr OpId id{"ConvertLike", 1};
  static constexpr Attributes<> attributes{};
  static constexpr LayoutRule layout_rule{.follows = true, .indifferent_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Both inputs as the smallest type that both fit into: reals before integers before booleans.
/// Output i is input i, converted. What loses or widens is an error unless `promote_unsafe`.
struct ConvertPromoteTypes {
  static constexpr OpId id{"ConvertPromoteTypes", 14};
  static constexpr OpTraits traits{.outputs = 2};
  bool promote_unsafe = false;
  /// A scalar takes the type of the other input when both are reals or both are integers.
  bool pytorch_scalar_promotion = false;
  /// What u64 and a signed integer become: no integer type holds both.
  ElementType u64_integer_promotion_target = ElementType::f32;
  static constexpr auto attributes =
      Attributes{attr("promote_unsafe", &ConvertPromoteTypes::promote_unsafe),
                 attr("pytorch_scalar_promotion", &ConvertPromoteTypes::pytorch_scalar_promotion),
                 attr("u64_integer_promotion_target", &ConvertPromoteTypes::u64_integer_promotion_target)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
