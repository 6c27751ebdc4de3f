#pragma once

#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::back {

/// Other dimensions of the same elements, which stay where they are in memory.
inline bool is_view(const Node& node) { return node.is<ops::Reshape>() || node.is<ops::Squeeze>() || node.is<ops::Unsqueeze>(); }

/// A Transpose of dimensions, but not of elements: all other dimensions than those of size 1 keep their order.
inline bool moves_ones_only(const Node& transpose) {
  const PartialShape& shape = transpose.input_type(0).shape;
  auto order = integers_of(transpose.input(1));
  if (!order || !shape.has_rank()) return false;
  if (order->empty())  // all in reverse
    for (std::size_t axis = shape.size(); axis-- > 0;) order->push_back(static_cast<std::int64_t>(axis));
  if (std::is_sorted(order->begin(), order->end())) return false;
  std::erase_if(*order, [&](std::int64_t axis) { return shape[static_cast<std::size_t>(axis)] == Dimension(1); });
  return std::is_sorted(order->begin(), order->end());
}

}  // namespace mo::back
