#pragma once

#include <array>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// How blocks lie in an image; one number each for height and width.
struct ImageBlocks {
  using Pair = std::array<std::int64_t, 2>;
  Pair block;
  Pair count;  ///< of blocks
  Pair strides;
  Pair dilations;
  Pair pads_begin;
};

/// `columns` [images, block elements, blocks] and `out` [images, height, width], both f32 or f64; `out` is zero at
/// first.
void add_blocks(const Tensor& columns, Tensor& out, const ImageBlocks& blocks);

}  // namespace mo::ops::reference
