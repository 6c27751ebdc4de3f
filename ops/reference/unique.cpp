#include "ops/reference/unique.hpp"

#include <algorithm>
#include <numeric>

#include "ops/reference/axis.hpp"
#include "ops/reference/order.hpp"

namespace mo::ops::reference {
namespace {

/// Negative, 0 or positive as slice `a` is before, equal to or after slice `b`.
int compare_slices(const std::vector<std::int64_t>& keys, const AxisView& view, std::int64_t a, std::int64_t b) {
  for (std::int64_t o = 0; o < view.outer; ++o) {
    const std::int64_t* x = keys.data() + (o * view.size + a) * view.inner;
    const std::int64_t* y = keys.data() + (o * view.size + b) * view.inner;
    for (std::int64_t i = 0; i < view.inner; ++i)
      if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}

/// Renumbers the groups by their first slices.
void order_by_first(UniqueSlices& groups) {
  std::vector<std::int64_t> order(groups.first.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return groups.first[static_cast<std::size_t>(a)] < groups.first[static_cast<std::size_t>(b)];
  });
  UniqueSlices ordered;
  std::vector<std::int64_t> renumbered(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto old = static_cast<std::size_t>(order[i]);
    ordered.first.push_back(groups.first[old]);
    ordered.count.push_back(groups.count[old]);
    renumbered[old] = static_cast<std::int64_t>(i);
  }
  for (std::int64_t& place : groups.place) place = renumbered[static_cast<std::size_t>(place)];
  ordered.place = std::move(groups.place);
  groups = std::move(ordered);
}

}  // namespace

UniqueSlices unique_slices(const Tensor& data, std::int64_t axis, bool sorted) {
  const AxisView view = view_axis(data.shape(), axis);
  UniqueSlices groups;
  groups.place.resize(static_cast<std::size_t>(view.size));
  if (view.size == 0) return groups;
  std::vector<std::int64_t> keys(static_cast<std::size_t>(data.element_count()));
  order_keys(data, 0, 1, 0, data.element_count(), keys.data());
  std::vector<std::int64_t> order(groups.place.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return compare_slices(keys, view, a, b) < 0; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || compare_slices(keys, view, order[i - 1], order[i]) != 0) {
      groups.first.push_back(order[i]);
      groups.count.push_back(0);
    }
    ++groups.count.back();
    groups.place[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(groups.first.size()) - 1;
  }
  if (!sorted) order_by_first(groups);
  return groups;
}

}  // namespace mo::ops::reference
