#pragma once

#include "core/graph/graph.hpp"

namespace mo {

/// Watches one replacer: what it leaves must be as sound as what it found. Made before it edits; O(graph).
class ReplacementCheck {
 public:
  ReplacementCheck(const Graph& graph, std::string replacer);
  /// Error MO-PASS-0020, naming the replacer: no Result is left, a Result reads nothing, the source of an input was
  /// removed although the input is still there, or there is a cycle that was not there before (loops of TensorFlow 1
  /// are cycles at first).
  Expected<void> finish() const;

 private:
  Diagnostic broken(Diagnostic problem) const;
  const Graph& graph_;
  std::string replacer_;
  bool had_results_ = false;
  bool had_cycles_ = false;
  std::vector<std::vector<NodeId>> sources_;  ///< by node and input port
};

/// Erases those of `nodes` that nothing outside of them reads, directly or indirectly, and then what only they needed.
/// Cycles among them do not matter. Parameters and Results stay.
void remove_unread(Graph& graph, const std::vector<Node>& nodes);

}  // namespace mo
