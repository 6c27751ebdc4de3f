#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::transformations {

using ChannelOrder = std::vector<std::int64_t>;

/// The tensor is what it was before with the elements along `axis` in another order: element i is the former element
/// order[i]. An empty order reverses them, however many there are.
struct Permutation {
  std::size_t axis = 0;
  ChannelOrder order;
  NodeId source = {};  ///< the op that permutes

  bool same_as(const Permutation& other) const { return axis == other.axis && order == other.order; }
};

/// What the op does to its data, if that is all it does: a Gather of each index once, or a Concat of all slices of a
/// Split, each once and without other readers.
std::optional<Permutation> permutation_of(const Node& node);

/// count - 1 … 0
ChannelOrder reversed(std::int64_t count);
ChannelOrder inverse_of(const ChannelOrder& order);

}  // namespace mo::transformations
