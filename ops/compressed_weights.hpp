#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Weights of 2 to 8 bits that stay as they are in the file: (x - zero_point) * scale, of the type of `scale` (input
/// 1), which broadcasts to x (input 0); the zero point (input 2) has the type of x and may be absent. A scale of 1, of
/// a real type or i32, gives the whole numbers. Never folded, and one op, so that no pass takes it apart; the back
/// phase makes Convert -> Subtract -> Multiply of it, which is what runtimes look for. Not an op of the IR.
struct CompressedWeights {
  static constexpr OpId id{"CompressedWeights", "mo"};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.never_folded = true};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
