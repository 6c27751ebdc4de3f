#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Slice(x, start, stop, step, axes) -> StridedSlice with one entry for each dimension; axes and steps must be known,
/// else the result is empty. Computed bounds stay computed, so that the model can be reshaped.
Value as_strided_slice(const Node& slice, Rewriter& rw);

}  // namespace mo::transformations
