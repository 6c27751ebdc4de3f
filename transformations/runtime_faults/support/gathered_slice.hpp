#pragma once

#include "core/rewrite.hpp"
#include "ops/strided_slice.hpp"

namespace mo::transformations {

bool drops_dimensions(const ops::StridedSlice& op);

/// x[i, a:b] -> Gather(x, i, axis 0)[a:b]: one Gather for each dimension that a StridedSlice drops, the slice for what
/// is left. Empty when the axes of the indices are not known.
Value as_gathers(const Node& strided_slice, Rewriter& rw);

}  // namespace mo::transformations
