#include "core/graph/bodies.hpp"

namespace mo {

std::vector<OwnedGraph> with_owners(Graph& graph) {
  std::vector<OwnedGraph> graphs = {{&graph, {}, 0}};
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (const Node& owner : graphs[i].graph->body_owners())
      for (Graph* body : owner.bodies()) graphs.push_back({body, owner, i});
  return graphs;
}

std::vector<Graph*> with_bodies(Graph& graph) {
  std::vector<Graph*> graphs;
  for (const OwnedGraph& one : with_owners(graph)) graphs.push_back(one.graph);
  return graphs;
}

}  // namespace mo
