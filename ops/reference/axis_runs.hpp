#pragma once

#include <utility>
#include <vector>

#include "core/types/partial_shape.hpp"

namespace mo::ops::reference {

/// Number of groups of `shape` when the axes marked in `reduced` are taken together.
inline std::int64_t group_count(const Shape& shape, const std::vector<bool>& reduced) {
  std::int64_t count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (!reduced[i]) count *= shape[i];
  return count;
}

/// Walks a row-major tensor once, in memory order, in runs of neighbours: fn(offset, length, group, step). The elements
/// offset … offset + length - 1 belong to the groups group, group + step, …; step is 0 (one group) or 1. Groups are the
/// places of the shape without the reduced axes.
template <class Fn>
void for_each_run(const Shape& shape, const std::vector<bool>& reduced, Fn&& fn) {
  struct Axis {
    std::int64_t size;
    bool reduced;
    std::int64_t group_stride;
    std::int64_t at;
  };
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return;
    if (shape[i] == 1) continue;
    if (!axes.empty() && axes.back().reduced == reduced[i])
      axes.back().size *= shape[i];
    else
      axes.push_back({shape[i], reduced[i], 0, 0});
  }
  if (axes.empty()) axes.push_back({1, true, 0, 0});
  std::int64_t stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;)
    if (!axes[i].reduced) {
      axes[i].group_stride = stride;
      stride *= axes[i].size;
    }
  const Axis inner = axes.back();
  axes.pop_back();
  std::int64_t offset = 0;
  std::int64_t group = 0;
  while (true) {
    fn(offset, inner.size, group, inner.reduced ? std::int64_t{0} : std::int64_t{1});
    offset += inner.size;
    std::size_t i = axes.size();
    while (i-- > 0) {
      group += axes[i].group_stride;
      if (++axes[i].at < axes[i].size) break;
      group -= axes[i].group_stride * axes[i].size;
      axes[i].at = 0;
      if (i == 0) return;
    }
    if (axes.empty()) return;
  }
}

}  // namespace mo::ops::reference
