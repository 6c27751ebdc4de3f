#pragma once

#include "core/rewrite.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {

/// Other dimensions of the same elements, which stay where they are in memory.
inline bool is_view(const Node& node) {
  return node.is<ops::Reshape>() || node.is<ops::Squeeze>() || node.is<ops::Unsqueeze>();
}

/// Returns true for a Transpose that moves dimensions of size 1 and no other ones: the elements stay where they are.
bool moves_only_ones(const Node& node);

/// Returns a Reshape of `source` to `shape`, a shape of the same elements. Its first dimension is copied where both
/// have it, so that the IR takes another batch. Empty when the rank is unknown or 0, when several sizes are unknown,
/// and when there are no elements.
Value viewed_as(Rewriter& rw, const Value& source, const PartialShape& shape);

}  // namespace mo::transformations
