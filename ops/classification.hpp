#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// True for numbers that are neither infinite nor NaN.
struct IsFinite {
  static constexpr OpId id{"IsFinite", 10};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// True for the infinities that are asked for.
struct IsInf {
  static constexpr OpId id{"IsInf", 10};
  bool detect_negative = true;
  bool detect_positive = true;
  static constexpr auto attributes =
      Attributes{attr("detect_negative", &IsInf::detect_negative), attr("detect_positive", &IsInf::detect_positive)};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// True where the input is not a number.
struct IsNaN {
  static constexpr OpId id{"IsNaN", 10};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.elementwise = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
