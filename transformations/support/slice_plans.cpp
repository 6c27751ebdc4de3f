#include "transformations/support/slice_plans.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "core/graph/values.hpp"
#include "ops/strided_slice.hpp"

namespace mo::transformations {

bool any_set(const std::vector<std::int64_t>& mask) {
  return std::any_of(mask.begin(), mask.end(), [](std::int64_t bit) { return bit != 0; });
}

/// Sets the end of dimension i one place after the last element that is taken, and the step to 1 where at most one is.
void end_behind_last(SlicePlan& plan, std::size_t i) {
  const std::int64_t step = plan.stride[i];
  const std::int64_t direction = step > 0 ? 1 : -1;
  const std::int64_t distance = step > 0 ? step : -std::max(step, -std::numeric_limits<std::int64_t>::max());
  const std::int64_t length = std::max<std::int64_t>(0, (plan.end[i] - plan.begin[i]) * direction);
  if (length <= distance) {
    plan.stride[i] = 1;
    plan.end[i] = plan.begin[i] + (length > 0 ? 1 : 0);
  } else {
    plan.end[i] = plan.begin[i] + (length - 1) / distance * step + direction;
  }
}

std::optional<SlicePlan> slice_plan(const Node& node) {
  const auto* slice = node.as<ops::StridedSlice>();
  const auto shape = slice ? node.input_type(0).shape.to_shape() : std::nullopt;
  if (!shape || any_set(slice->new_axis_mask) || any_set(slice->shrink_axis_mask) || any_set(slice->ellipsis_mask))
    return std::nullopt;
  const auto begin = constant_integers_of(node.input(1));
  const auto end = constant_integers_of(node.input(2));
  const auto stride =
      node.input(3) ? constant_integers_of(node.input(3)) : std::vector<std::int64_t>(begin ? begin->size() : 0, 1);
  if (!begin || !end || !stride || begin->size() != end->size() || begin->size() != stride->size() ||
      begin->size() > shape->size())
    return std::nullopt;
  const auto is_masked = [](const std::vector<std::int64_t>& mask, std::size_t i) {
    return i < mask.size() && mask[i] != 0;
  };
  SlicePlan plan{std::vector<std::int64_t>(shape->size(), 0), *shape, std::vector<std::int64_t>(shape->size(), 1)};
  for (std::size_t i = 0; i < begin->size(); ++i) {
    const std::int64_t size = (*shape)[i];
    const std::int64_t step = plan.stride[i] = (*stride)[i];
    if (step == 0) return std::nullopt;
    const auto from_front = [&](std::int64_t bound) { return bound < 0 ? bound + size : bound; };
    // Backwards, bounds lie between the place before the first element and the last one.
    const std::int64_t low = step > 0 ? 0 : -1;
    const std::int64_t high = step > 0 ? size : size - 1;
    plan.begin[i] =
        is_masked(slice->begin_mask, i) ? (step > 0 ? low : high) : std::clamp(from_front((*begin)[i]), low, high);
    plan.end[i] =
        is_masked(slice->end_mask, i) ? (step > 0 ? high : low) : std::clamp(from_front((*end)[i]), low, high);
    end_behind_last(plan, i);
  }
  return plan;
}

Expected<std::vector<std::vector<Node>>> slices_by_source(const Graph& graph) {
  std::vector<std::vector<Node>> groups;
  if (!graph.has_op("StridedSlice")) return groups;
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  std::map<ValueId, std::size_t> group_of;
  for (const Node& node : order) {
    if (!node.is<ops::StridedSlice>()) continue;
    const auto [it, is_new] = group_of.try_emplace(node.input(0).id(), groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(node);
  }
  return groups;
}

}  // namespace mo::transformations
