#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::phases::layout {

/// Gives StridedSlices of rank 4 and 5 with constant bounds one bound for each dimension: an ellipsis and missing
/// bounds become whole dimensions (begin and end masked). Only then can the bounds be reordered. Slices that insert
/// dimensions stay as they are.
Expected<void> expand_slices(Rewriter& rewriter);

}  // namespace mo::phases::layout
