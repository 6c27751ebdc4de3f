#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/pooling.hpp"

namespace mo::back {

/// AvgPool with rounding `ceil_torch` whose padding counts, in a form that no release computes wrongly: the padding becomes data, and what the last
/// window lacks after it becomes padding that does not count. Sizes may be unknown. Returns an empty value if `node` has another padding, or strides
/// above the kernel's size along an unknown dimension.
Value average_of_padded(const Node& node, const ops::v14::AvgPool& op, Rewriter& rw);

}  // namespace mo::back
