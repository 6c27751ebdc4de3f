#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Reverses the first seq_lengths[b] (input 1) elements along `seq_axis` for each place b of `batch_axis`; the rest
/// stays.
struct ReverseSequence {
  static constexpr OpId id{"ReverseSequence", 0};
  std::int64_t batch_axis = 0;
  std::int64_t seq_axis = 1;
  static constexpr auto attributes =
      Attributes{attr("batch_axis", &ReverseSequence::batch_axis), attr("seq_axis", &ReverseSequence::seq_axis)};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  static constexpr LayoutRule layout_rule{.follows = true, .axes_attributes = {"batch_axis", "seq_axis"}};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
