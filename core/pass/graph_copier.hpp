#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/pass/rewriter.hpp"

namespace mo {

/// Copies tensors and what they are computed from into another graph, with names, origins and sources. A tensor may be
/// given a stand-in, where copying ends; each node is copied once.
class GraphCopier {
 public:
  explicit GraphCopier(Graph& to) : to_(&to) {}
  /// The copies are made by a rewriter, which infers them.
  explicit GraphCopier(Rewriter& rewriter);

  /// `target` stands for `source`.
  void map(const Value& source, const Value& target) { mapped_[source.id()] = target; }
  bool is_mapped(const Value& source) const { return mapped_.contains(source.id()); }
  /// Asked for each tensor before its node is copied: a stand-in, an error, or an empty value to go on copying.
  void ask(std::function<Expected<Value>(const Value&)> boundary) { boundary_ = std::move(boundary); }
  /// Which control inputs of a node are copied, with what they are computed from; none: no control edges.
  void keep_control(std::function<bool(const Node& before)> kept) { kept_ = std::move(kept); }
  /// The error for a node that depends on itself; none: MO-GRAPH-0011.
  void explain_cycles(std::function<Diagnostic(const Node&)> explain) { explain_cycle_ = std::move(explain); }

  /// The copy of `source`. Errors: MO-GRAPH-0011 (it depends on itself), MO-GRAPH-0012 (it needs a Parameter without a
  /// stand-in), those of the boundary.
  Expected<Value> copy(const Value& source);

 private:
  struct Frame {
    Node node;
    std::vector<Node> before;
    std::size_t next = 0;
  };
  Expected<Value> known(const Value& source);
  std::vector<Node> kept_control_inputs(const Node& node) const;
  Node make(const Frame& frame);

  Graph* to_;
  Rewriter* rewriter_ = nullptr;
  std::unordered_map<ValueId, Value> mapped_;
  std::unordered_map<NodeId, Node> copies_;
  std::function<Expected<Value>(const Value&)> boundary_;
  std::function<bool(const Node&)> kept_;
  std::function<Diagnostic(const Node&)> explain_cycle_;
};

}  // namespace mo
