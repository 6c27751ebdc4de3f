#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Patches in one direction: `size` elements, `rate` apart; patches begin `stride` apart, the first one `pad` before
/// the image.
struct PatchWindow {
  std::int64_t size = 1;
  std::int64_t stride = 1;
  std::int64_t rate = 1;
  std::int64_t pad = 0;
};

/// [N, C, H, W] -> [N, vertical.size * horizontal.size * C, rows, columns], zeros outside of the image; `out` gives
/// rows and columns.
void extract_patches(const Tensor& data, const PatchWindow& vertical, const PatchWindow& horizontal, Tensor& out);

}  // namespace mo::ops::reference
