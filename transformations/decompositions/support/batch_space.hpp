#pragma once

#include <optional>

#include "transformations/support/op_rules.hpp"

/// SpaceToBatch and BatchToSpace as movements of single dimensions.
namespace mo::transformations {

/// How the blocks are moved: one dimension after the other in tensors of one more dimension, or all at once.
struct BlockMovement {
  bool convert_by_elements = true;
  static constexpr auto attributes = Attributes{attr("convert_by_elements", &BlockMovement::convert_by_elements)};
};

/// The parameters of either op, of one number for each dimension.
struct BlockLists {
  std::vector<std::int64_t> data;
  std::vector<std::int64_t> blocks;
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
};

/// Nothing unless the shape is known and the lists are constants.
std::optional<BlockLists> block_lists(const Node& node);

}  // namespace mo::transformations
