#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/graph/graph.hpp"

namespace mo::frontends {

/// An output of a node by its parts.
struct TensorReference {
  Node node;
  std::size_t port = 0;  ///< may be one that the node does not have yet
};

/// Resolves what users and files write of tensors, "node" (output 0) or "node:1", once, where it comes in; from there
/// on a tensor is a Value. Names may hold colons and digits: a node that the whole text names wins. Made in O(nodes);
/// of several nodes of a name the first one is found.
class TensorReferences {
 public:
  explicit TensorReferences(const Graph& graph);
  /// Without a node when there is none of that name.
  TensorReference find(std::string_view reference) const;
  /// The same as a tensor; empty when the node does not have that output.
  Value find_value(std::string_view reference) const;
  /// A text that `find` resolves to this tensor: "node", "node:1", or "node:01" where "node:1" is the name of another
  /// node.
  std::string text_of(const Value& tensor) const;

 private:
  Node find_node(std::string_view name) const;

  std::unordered_map<std::string_view, Node> nodes_;
};

}  // namespace mo::frontends
