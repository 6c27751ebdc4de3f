#include "transformations/support/transposes.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/reduce.hpp"
#include "ops/squeeze.hpp"

namespace mo::transformations {

std::optional<std::vector<std::size_t>> constant_order(const Value& order) {
  const auto numbers = constant_integers_of(order);
  return numbers ? as_order(*numbers) : std::nullopt;
}

std::optional<std::vector<std::size_t>> as_order(const std::vector<std::int64_t>& numbers) {
  if (numbers.empty()) return std::nullopt;
  std::vector<bool> seen(numbers.size(), false);
  std::vector<std::size_t> places;
  for (const std::int64_t from : numbers) {
    if (from < 0 || from >= static_cast<std::int64_t>(seen.size()) || seen[static_cast<std::size_t>(from)])
      return std::nullopt;
    seen[static_cast<std::size_t>(from)] = true;
    places.push_back(static_cast<std::size_t>(from));
  }
  return places;
}

std::vector<std::int64_t> inverse_order(const std::vector<std::size_t>& order) {
  std::vector<std::int64_t> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[order[i]] = static_cast<std::int64_t>(i);
  return inverse;
}

Pat reduction_or_squeeze(const Pat& x, const Pat& axes) {
  return pattern::any_op<ops::ReduceSum, ops::ReduceMean, ops::ReduceMax, ops::ReduceMin, ops::ReduceProd,
                         ops::ReduceL1, ops::ReduceL2, ops::ReduceLogicalAnd, ops::ReduceLogicalOr, ops::Squeeze>(x,
                                                                                                                  axes);
}

bool keeps_dims(const Node& node) { return node.attr<bool>("keep_dims").value_or(false); }

std::optional<std::vector<std::size_t>> removed_dims(const Node& node) {
  const auto rank = node.input_type(0).rank();
  const auto numbers = constant_integers_of(node.input(1));
  if (!rank || !numbers || numbers->empty()) return std::nullopt;
  std::vector<std::size_t> axes;
  for (const std::int64_t number : *numbers) {
    const auto axis = normalize_axis(number, *rank);
    if (!axis || std::find(axes.begin(), axes.end(), static_cast<std::size_t>(*axis)) != axes.end())
      return std::nullopt;
    axes.push_back(static_cast<std::size_t>(*axis));
  }
  return axes;
}

}  // namespace mo::transformations
