#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Cuts `data` into `num_splits` equal parts along the axis that input 1 gives.
struct Split {
  static constexpr OpId id{"Split", 1};
  std::int64_t num_splits = 1;
  static constexpr auto attributes = Attributes{attr("num_splits", &Split::num_splits)};
  static constexpr OpTraits traits{.outputs = 0, .moves_elements = 0b1, .shape_inputs = 0b10};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Cuts `data` along the axis that input 1 gives into parts as long as input 2 says; one length may be -1: what is
/// left.
struct VariadicSplit {
  static constexpr OpId id{"VariadicSplit", 1};
  static constexpr Attributes<> attributes{};
  static constexpr OpTraits traits{.outputs = 0, .moves_elements = 0b1, .shape_inputs = 0b110};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_inputs = 0b10};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
