#pragma once

#include <functional>

#include "ops/pooling.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

/// A reduction as a pooling: `pool` makes the result of a tensor [N, C, spatial…] and a window over it, given how many
/// elements each window has. Declines unless the shape is known and the axes are a constant and neighbours. Without
/// axes, or along dimensions of 1, nothing is pooled.
Replacement pooled_reduction(
    const Node& reduction, Rewriter& rw,
    const std::function<Value(const Value& data, const ops::SlidingWindow& window, std::int64_t count)>& pool);

/// The window as it is, in an op of a pooling class.
template <class Pool>
Pool pool_over(const ops::SlidingWindow& window) {
  Pool made;
  static_cast<ops::SlidingWindow&>(made) = window;
  return made;
}

}  // namespace mo::transformations
