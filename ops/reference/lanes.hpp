#pragma once

#include <cstdint>

namespace mo::ops::reference {

/// Folds neighbours in eight lanes, which a compiler makes vectors of: element i goes to lane i % 8, and the lanes are
/// merged at the end, upwards. So the order of the sums is the same on every machine.
template <class S>
class LaneFold {
 public:
  /// `neutral` changes nothing.
  explicit LaneFold(S neutral) {
    for (S& lane : lanes_) lane = neutral;
  }

  /// Folds the next `count` elements in; a multiple of 8 unless they are the last ones.
  template <class Element, class Combine>
  void add(std::int64_t count, Element element, Combine combine) {
    S lanes[kLanes];  // in registers: the remainder below, whose lanes are not known when compiling, has the member
    for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = lanes_[k];
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
      for (std::int64_t k = 0; k < kLanes; ++k) lanes[k] = combine(lanes[k], element(i + k));
    for (std::int64_t k = 0; k < kLanes; ++k) lanes_[k] = lanes[k];
    for (std::int64_t k = 0; i + k < count; ++k) lanes_[k] = combine(lanes_[k], element(i + k));
  }

  template <class Merge>
  S merged(Merge merge) const {
    S result = lanes_[0];
    for (std::int64_t k = 1; k < kLanes; ++k) result = merge(result, lanes_[k]);
    return result;
  }

 private:
  static constexpr std::int64_t kLanes = 8;
  S lanes_[kLanes];
};

/// All of `count` elements in one go.
template <class S, class Element, class Combine, class Merge>
S fold_in_lanes(std::int64_t count, S neutral, Element element, Combine combine, Merge merge) {
  LaneFold<S> lanes(neutral);
  lanes.add(count, element, combine);
  return lanes.merged(merge);
}

}  // namespace mo::ops::reference
