#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::onnx {

/// What the tensors of a graph are called in the model that is written. A linked graph (`read_model`) names them
/// itself; in one that is only rewritten nodes give their names to their first outputs. Refers to the graph.
class WrittenNames {
 public:
  explicit WrittenNames(const Graph& graph);

  bool is_linked() const { return is_linked_; }
  /// Whether this is a node with which a graph that is only rewritten says something of its own.
  bool is_op(const Node& node, std::string_view op) const;

  /// Of a graph that is only rewritten. A further output that would be called like a node, or like one that was named
  /// before, is called otherwise.
  void name_tensors(const std::vector<Node>& nodes);
  std::string name_of(const OutPort& tensor) const;
  /// Whether name_tensors has given this name to a tensor.
  bool contains(const std::string& name) const { return tensors_.contains(name); }

 private:
  bool is_linked_;
  std::unordered_set<std::string> tensors_;           ///< names of all tensors
  std::unordered_map<ValueId, std::string> renamed_;  ///< those that could not keep theirs
};

/// The name of an operator in the type of a node that is only rewritten: "Relu" of "onnx::Relu".
std::string_view operator_in_type(const Node& node);

}  // namespace mo::onnx
