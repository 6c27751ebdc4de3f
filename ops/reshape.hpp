#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// The elements of `data` under the shape that input 1 describes. One -1 stands for what is left; with `special_zero` a
/// 0 copies the dimension of `data` at its place (IR opset1: without the attribute a 0 is an empty dimension).
struct Reshape {
  static constexpr OpId id{"Reshape", 1};
  bool special_zero = false;
  static constexpr auto attributes = Attributes{attr("special_zero", &Reshape::special_zero)};
  static constexpr OpTraits traits{.reinterprets = true, .moves_elements = 0b1, .shape_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
