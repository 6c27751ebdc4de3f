#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Beam search: full beams from the steps (time, batch, beam) and their parents, until max_seq_len (batch); what
/// follows the first `end_token` of a beam is `end_token`.
struct GatherTree {
  static constexpr OpId id{"GatherTree", 1};
  static constexpr Attributes<> attributes{};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
