#pragma once

#include <functional>
#include <set>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// The living nodes of some ops in id order, as a walk over all nodes would meet them: nodes that are erased before the
/// walk gets there are left out, those that get one of the ops meanwhile are met when they lie ahead. Nodes that are
/// made during the walk are not met. O(nodes of these ops), the first time O(nodes of the graph).
class OpWalk {
 public:
  /// `wanted` is asked once for each different op, and for those that nodes get meanwhile.
  OpWalk(Graph& graph, std::function<bool(const OpType&)> wanted);
  ~OpWalk();
  OpWalk(const OpWalk&) = delete;
  OpWalk& operator=(const OpWalk&) = delete;
  /// An empty handle after the last one.
  Node next();

 private:
  void note_retyped();

  Graph* graph_;
  std::function<bool(const OpType&)> wanted_;
  std::vector<NodeId> nodes_;
  std::size_t place_ = 0;
  std::set<NodeId> late_;  ///< ahead of the walk, and not in `nodes_`
  std::size_t seen_retyped_ = 0;
  std::uint32_t end_;
  NodeId at_;
};

}  // namespace mo
