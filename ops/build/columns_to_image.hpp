#pragma once

#include <vector>

#include "core/pass/rewriter.hpp"

namespace mo::build {

/// How blocks lie in an image; all lists have one number for each of the 1 to 3 spatial axes.
struct ColumnBlocks {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::int64_t elements = 1;  ///< of a block
};

/// Columns [N, C * block elements, blocks] -> image [N, C, sizes…], `image` (i64) having the sizes: a transposed
/// convolution adds up what blocks have in common, and the padding is cut off.
Value columns_to_image(Rewriter& rw, const Value& columns, const Value& image, const ColumnBlocks& blocks);

}  // namespace mo::build
