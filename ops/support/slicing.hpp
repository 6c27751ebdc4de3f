#pragma once

#include "ops/support/index_inputs.hpp"

namespace mo::ops {

/// The elements that a slice takes from a dimension: `begin`, `begin + step`, … `count` of them. All inside of the
/// dimension.
struct SliceRange {
  std::int64_t begin = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

/// Python's rule for start:stop:step on a dimension of `size`: negative bounds count from the back, then both are
/// clamped. `step` is not 0 (asserted). No bound overflows, INT64_MIN and INT64_MAX included.
SliceRange slice_range(std::int64_t size, std::int64_t start, std::int64_t stop, std::int64_t step);

/// What is known of the number of elements, when the dimension or the bounds may be unknown. `step`, when known, is not
/// 0.
Dimension sliced_dimension(const Dimension& size, const Dimension& start, const Dimension& stop, const Dimension& step);

}  // namespace mo::ops
