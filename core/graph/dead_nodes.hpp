#pragma once

#include <functional>

#include "core/graph/graph.hpp"

namespace mo {

/// What is needed beside the Results and what they are computed from.
struct Needs {
  bool parameters = true;  ///< read or not
  bool effects = true;     ///< nodes that only have effects
  /// Whether a node that must run before a needed one is needed; none: all are.
  std::function<bool(const Node& before)> control;
  /// Further nodes that a needed one needs.
  std::function<std::vector<Node>(const Node&)> further;
};

/// Removes unneeded nodes, cycles among them. Returns whether there were any. O(size of the graph).
bool remove_dead_nodes(Graph& graph, const Needs& needs = {});

}  // namespace mo
