#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"

/// What StridedSlices of constant bounds take.
namespace mo::transformations {

/// Per dimension of the data: from begin to before end by steps of stride. Slices that take the same elements have the
/// same plan: masks, negative bounds and limits were taken into account, the end is one place after the last element,
/// and the step is 1 where at most one element is taken.
struct SlicePlan {
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> end;
  std::vector<std::int64_t> stride;
  bool operator==(const SlicePlan&) const = default;
};

/// Only for static data, constant bounds, and without dimensions that come or go.
std::optional<SlicePlan> slice_plan(const Node& strided_slice);

/// A mask has some number that is not 0.
bool any_set(const std::vector<std::int64_t>& mask);

/// The StridedSlices of the graph by what they read, in topological order.
Expected<std::vector<std::vector<Node>>> slices_by_source(const Graph& graph);

}  // namespace mo::transformations
