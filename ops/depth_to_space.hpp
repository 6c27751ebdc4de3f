#pragma once

#include "core/op.hpp"
#include "core/op/data_layout.hpp"
#include "ops/support/space_blocks.hpp"

namespace mo::ops {

/// Moves blocks of channels into the spatial dimensions: [N, C, D1, …] -> [N, C / b^k, D1 * b, …] for k spatial
/// dimensions.
struct DepthToSpace {
  static constexpr OpId id{"DepthToSpace", 0};
  DepthMode mode = DepthMode::blocks_first;
  std::int64_t block_size = 1;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{attr("mode", &DepthToSpace::mode), attr("block_size", &DepthToSpace::block_size),
                 attr("layout", &DepthToSpace::layout).internal().optional()};
  static constexpr OpTraits traits{.moves_elements = 0b1};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
