#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Local response normalisation: data / (bias + alpha / size^n * sum of squares nearby)^beta, where "nearby" is a box
/// of `size` elements along each of the n axes of input 1 ([1]: across channels).
struct LRN {
  static constexpr OpId id{"LRN", 0};
  double alpha = 1e-4;
  double beta = 0.75;
  double bias = 1;
  std::int64_t size = 1;
  static constexpr auto attributes = Attributes{attr("alpha", &LRN::alpha), attr("beta", &LRN::beta),
                                                attr("bias", &LRN::bias), attr("size", &LRN::size)};
  static constexpr OpTraits traits{.shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10, .asks_up_to = 11};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
  LayoutNeed layout_need(const InferContext& ctx) const;
};

}  // namespace mo::ops
