#pragma once

#include "ops/support/index_inputs.hpp"

namespace mo::ops {

/// The block shape and the two lists of margins (pads or crops) of SpaceToBatch and BatchToSpace, as far as they are
/// known.
struct BatchBlocks {
  PartialShape data;  ///< its rank comes from the lists when the data has none
  std::vector<Dimension> blocks;
  std::vector<Dimension> begins;
  std::vector<Dimension> ends;
};

/// Inputs 0 to 3; nothing when no rank is known. Errors: MO-OPS-0209 (lists of another length than the rank),
/// MO-OPS-0216 (a block below 1, a negative margin, or either for the batch).
Expected<std::optional<BatchBlocks>> read_batch_blocks(const InferContext& ctx);

/// The order of the blocks within the batch is that of the dimensions: they may move when the last one (the channels)
/// has no blocks.
LayoutNeed batch_blocks_layout_need(const InferContext& ctx);

}  // namespace mo::ops
