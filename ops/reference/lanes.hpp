#pragma once

#include <cstdint>

namespace mo::ops::reference {

/// Folds neighbours in eight lanes, which a compiler makes vectors of: element i goes to lane i % 8, and the lanes are
/// merged at the end, upwards. So the order of the sums is the same on every machine. `neutral` changes nothing.
template <class S, class Element, class Combine, class Merge>
S fold_in_lanes(std::int64_t count, S neutral, Element element, Combine combine, Merge merge) {
  constexpr std::int64_t kLanes = 8;
  S lanes[kLanes];
  for (S& lane : lanes) lane = neutral;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = combine(lanes[k], element(i + k));
  for (std::int64_t k = 0; i + k < count; ++k) lanes[k] = combine(lanes[k], element(i + k));
  S result = lanes[0];
  for (std::int64_t k = 1; k < kLanes; ++k) result = merge(result, lanes[k]);
  return result;
}

}  // namespace mo::ops::reference
