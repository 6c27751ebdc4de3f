#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// Which node of one graph is which node of another.
class GraphMatching {
 public:
  GraphMatching(const Graph& before, const Graph& after)
      : before_(before.node_capacity()), after_(after.node_capacity()) {}
  /// An empty handle when there is none.
  Node after(const Node& before) const { return before_[before.id().index]; }
  Node before(const Node& after) const { return after_[after.id().index]; }
  void pair(const Node& before, const Node& after) {
    before_[before.id().index] = after, after_[after.id().index] = before;
  }

 private:
  std::vector<Node> before_;
  std::vector<Node> after_;
};

/// Pairs nodes by name, then by the names of their tensors, then by structure (all that they are computed from and all
/// that is computed from them, then either alone), then as neighbours of pairs. Only nodes of one op are pairs, but for
/// those that nothing else fits and that have the same name. Inputs and outputs of the models that are left belong
/// together by their order. `names`: false to go by structure alone. Weights are not looked at. O((nodes + edges) log
/// nodes).
GraphMatching match_graphs(const Graph& before, const Graph& after, bool names = true);

}  // namespace mo
