#pragma once

#include "core/rewrite.hpp"

namespace mo::back {

/// DFT, IDFT, RDFT or IRDFT as products with constant matrices, one for each axis: the sizes along the axes must be known, the others need not be.
/// Declines where all sizes are known, or where a matrix would be large.
Replacement fourier_by_matrices(const Node& node, Rewriter& rw);

}  // namespace mo::back
