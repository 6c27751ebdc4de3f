#include "ops/support/slicing.hpp"

#include <algorithm>
#include <limits>

namespace mo::ops {
namespace {

constexpr std::int64_t kLowestBound = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

/// `bound` counted from the front and limited to [low, high].
std::int64_t clamped(std::int64_t size, std::int64_t bound, std::int64_t low, std::int64_t high) {
  if (bound < 0) return bound < -size ? low : std::clamp(bound + size, low, high);
  return std::min(bound, high);
}

/// Models say "to the end" with the largest i32 or i64, and "to the beginning" with the smallest.
std::int64_t without_limit(std::int64_t bound) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();
  return bound >= kFar ? kHighest : bound <= -kFar ? kLowestBound : bound;
}

Dimension at_most(const Dimension& size) { return {0, size.max()}; }

}  // namespace

SliceRange slice_range(std::int64_t size, std::int64_t start, std::int64_t stop, std::int64_t step) {
  MO_ASSERT(step != 0, "a step of 0 is refused before");
  if (step > 0) {
    const std::int64_t first = clamped(size, start, 0, size);
    const std::int64_t last = clamped(size, stop, 0, size);
    return {first, step, last > first ? (last - first - 1) / step + 1 : 0};
  }
  const std::int64_t first = clamped(size, start, -1, size - 1);
  const std::int64_t last = clamped(size, stop, -1, size - 1);
  if (first <= last) return {std::max<std::int64_t>(first, 0), step, 0};
  const auto backwards = std::uint64_t{0} - static_cast<std::uint64_t>(step);
  return {first, step, static_cast<std::int64_t>(static_cast<std::uint64_t>(first - last - 1) / backwards) + 1};
}

Dimension sliced_dimension(const Dimension& size, const Dimension& start, const Dimension& stop,
                           const Dimension& step) {
  if (!step.is_known() || !start.is_known()) return at_most(size);
  const std::int64_t by = step.value();
  if (!stop.is_known()) {
    // x[0:n] has min(n, size) elements; n is a size, hence not negative. When it is this very size, the slice is
    // everything.
    if (start.value() == 0 && by == 1)
      return stop.same_value(size) ? size
                                   : Dimension(std::min(stop.min(), size.min()), std::min(stop.max(), size.max()));
    return by > 0 ? at_most(size).ceil_div(by) : at_most(size);
  }
  if (size.is_known()) return slice_range(size.value(), start.value(), stop.value(), by).count;

  const std::int64_t from = without_limit(start.value());
  const std::int64_t to = without_limit(stop.value());
  if (by == 1 && (from == 0 || from == kLowestBound) && to == kHighest) return size;
  if (by == -1 && (from == -1 || from == kHighest) && to == kLowestBound) return size;
  // The count grows with the size, except between a bound that is fixed to the front and one that is fixed to the back:
  // x[-5:3].
  if (by > 0 && from < 0 && from != kLowestBound && to >= 0 && to != kHighest)
    return {0, slice_range(std::min(-from, to), 0, kHighest, by).count};
  if (by < 0 && from >= 0 && from != kHighest && to < 0 && to != kLowestBound)
    return {0, slice_range(std::min(from + 1, -to), kHighest, kLowestBound, by).count};
  const auto count = [&](std::int64_t n) { return slice_range(n, from, to, by).count; };
  if (size.is_bounded()) return {count(size.min()), count(size.max())};
  // Without an upper limit the count either stays the same from some size on or has no limit either.
  constexpr std::int64_t kHuge = std::int64_t{1} << 61;
  const std::int64_t most = count(kHuge);
  return {count(size.min()), most == count(2 * (kHuge - 1)) ? most : Dimension::kNoLimit};
}

}  // namespace mo::ops
