#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// A graph among those that nodes of other graphs own.
struct OwnedGraph {
  Graph* graph = nullptr;
  Node owner;             ///< none for the outermost one
  std::size_t outer = 0;  ///< where the owner's graph is in the list
};

/// The graph and all bodies inside, at any depth, owners first.
std::vector<OwnedGraph> with_owners(Graph& graph);
/// The same without their owners.
std::vector<Graph*> with_bodies(Graph& graph);

}  // namespace mo
