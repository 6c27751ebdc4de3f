#include "transformations/runtime_faults/support/views.hpp"

#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {

bool moves_only_ones(const Node& node) {
  if (!node.is<ops::Transpose>()) return false;
  const PartialShape& shape = node.input_type(0).shape;
  auto order = integers_of(node.input(1));
  if (!shape.has_rank() || !order) return false;
  if (order->empty())  // all in reverse
    for (std::size_t axis = shape.size(); axis-- > 0;) order->push_back(static_cast<std::int64_t>(axis));
  if (order->size() != shape.size() || std::is_sorted(order->begin(), order->end())) return false;
  std::erase_if(*order, [&](std::int64_t axis) { return shape[static_cast<std::size_t>(axis)] == Dimension(1); });
  return std::is_sorted(order->begin(), order->end());
}

Value viewed_as(Rewriter& rw, const Value& source, const PartialShape& shape) {
  if (!shape.has_rank() || shape.size() == 0) return {};
  std::vector<std::int64_t> sizes;
  for (const Dimension& size : shape) sizes.push_back(size.is_known() ? size.value() : -1);
  if (std::count(sizes.begin(), sizes.end(), -1) > 1 || std::count(sizes.begin(), sizes.end(), 0) > 0) return {};
  const PartialShape& from = source.type().shape;
  const bool keeps_batch = from.has_rank() && from.size() > 0 && from[0] == shape[0];
  if (keeps_batch) sizes[0] = 0;
  return rw.create(ops::Reshape{.special_zero = keeps_batch}, source, rw.integers(sizes));
}

}  // namespace mo::transformations
