#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace mo::graph_transforms {

/// The nodes in an order in which each comes after what it reads; among several that could come next, the one that
/// became ready last.
///
/// What TensorFlow's Merge reads backwards in a loop does not count: one of its tensors is enough. Error MO-GTT-0020
/// for other cycles, with their number of nodes. O(size of the graph).
Expected<std::vector<Node>> sorted_by_execution_order(const Graph& graph);

/// The same for graphs with cycles: what can be sorted.
std::vector<Node> sortable_nodes(const Graph& graph);

}  // namespace mo::graph_transforms
