#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

class Rewriter;

// -- single nodes ------------------------------------------------------------------------------------------------------------------

/// A node like `node` in a graph, which may be the same one: its op, its number of outputs, its origin.
Node copy_node(const Node& node, Graph& to, std::span<const Value> inputs, std::string_view name);
/// The same with as many inputs, none of them connected: for graphs with cycles, and those that are read while they are made.
Node copy_unconnected(const Node& node, Graph& to, std::string_view name);
/// Types and known values of the outputs.
void copy_facts(const Node& from, const Node& to);
/// The names that the framework gave to the outputs, behind `prefix`.
void copy_tensor_names(const Node& from, const Node& to, std::string_view prefix = {});

// -- parts of graphs ---------------------------------------------------------------------------------------------------------------

/// Copies tensors and what they are computed from into another graph, with names, origins and sources. A tensor may be given a stand-in,
/// where copying ends; each node is copied once.
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
  /// What is said of a node that depends on itself; none: MO-GRAPH-0011.
  void explain_cycles(std::function<Diagnostic(const Node&)> explain) { explain_cycle_ = std::move(explain); }

  /// The copy of `source`. Errors: MO-GRAPH-0011 (it depends on itself), MO-GRAPH-0012 (it needs a Parameter without a stand-in), those of the
  /// boundary.
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
