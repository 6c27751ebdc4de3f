#pragma once

#include "core/pass/rewriter.hpp"

namespace mo::transformations {

/// A scalar 0 (i64) that no runtime can tell before it has the inputs: e < e for an element e of a Parameter. Empty
/// when there is none.
Value computed_zero(Rewriter& rw);

}  // namespace mo::transformations
