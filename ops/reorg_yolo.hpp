#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Moves `stride` x `stride` blocks into channels, in the order of Darknet: [N, C, H, W] -> [N, C*s*s, H/s, W/s].
struct ReorgYolo {
  static constexpr OpId id{"ReorgYolo", 0, 2};
  static constexpr OpTraits traits{.moves_elements = 1};
  std::vector<std::int64_t> stride{2};
  static constexpr auto attributes = Attributes{attr("stride", &ReorgYolo::stride)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
