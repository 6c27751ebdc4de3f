#pragma once

#include "core/op.hpp"
#include "core/op/data_layout.hpp"
#include "ops/support/space_blocks.hpp"

namespace mo::ops {

/// Moves spatial blocks into the channels: [N, C, D1, …] -> [N, C * b^k, D1 / b, …] for k spatial dimensions.
struct SpaceToDepth {
  static constexpr OpId id{"SpaceToDepth", 0};
  DepthMode mode = DepthMode::blocks_first;
  std::int64_t block_size = 1;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{attr("mode", &SpaceToDepth::mode), attr("block_size", &SpaceToDepth::block_size),
                 attr("layout", &SpaceToDepth::layout).internal().optional()};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
