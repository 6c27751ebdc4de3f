#include "core/graph/bodies.hpp"

#include <cstdint>

#include "core/graph/body_changes.hpp"

namespace mo {

std::vector<OwnedGraph> with_owners(Graph& graph) {
  std::vector<OwnedGraph> graphs = {{&graph, {}, 0}};
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (const Node& owner : graphs[i].graph->body_owners())
      for (Graph* body : owner.bodies()) graphs.push_back({body, owner, i});
  return graphs;
}

/// Each pass asks, few change anything, and a model may have 40,000 bodies: the last answer is kept as long as it
/// holds.
std::vector<Graph*> with_bodies(Graph& graph) {
  struct Answer {
    const Graph* root = nullptr;
    std::uint64_t changes = 0;
    std::vector<Graph*> graphs;
  };
  thread_local Answer last;
  const std::uint64_t changes = body_changes();
  if (last.root == &graph && last.changes == changes) return last.graphs;
  std::vector<Graph*> graphs;
  for (const OwnedGraph& one : with_owners(graph)) graphs.push_back(one.graph);
  if (graphs.size() > 1) last = {&graph, changes, graphs};
  return graphs;
}

}  // namespace mo
