#pragma once

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "ops/pooling.hpp"

/// Poolings with rounding `ceil_torch` (op set 14) in older op sets.
namespace mo::transformations {

/// AvgPool with rounding `ceil_torch` whose padding counts, in a form that no release computes wrongly: the padding
/// becomes data, and what the last window lacks after it becomes padding that does not count. Sizes may be unknown.
/// Returns an empty value if `node` has another padding.
Value average_of_padded(const Node& node, const ops::v14::AvgPool& op, Rewriter& rw);

/// MaxPool with rounding `ceil_torch` -> rounding `ceil`, whose windows are the same except one that begins after the
/// data, which a slice removes. Sizes may be unknown. Declines what has implicit padding.
Replacement max_pool_that_ceils(const Node& node, const ops::v14::MaxPool& op, Rewriter& rw);
/// The same of AvgPool whose padding does not count.
Replacement average_that_ceils(const Node& node, const ops::v14::AvgPool& op, Rewriter& rw);

}  // namespace mo::transformations
