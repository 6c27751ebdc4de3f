#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace mo::text {

// What only a complete text form says (TextOptions::complete), as values that are printed and read like any other.

/// What a graph holds beside its nodes: whether it has types, and its properties.
AttributeMap state_of(const Graph& graph);
/// Whether a state says that the graph has types.
bool says_typed(const AttributeMap& state);
/// Sets the properties that a state has.
void set_properties(Graph& graph, const AttributeMap& state);

/// The fields that are not empty.
AttributeMap record_of(const Origin& origin);
/// The views are those of `record`.
Origin origin_in(const AttributeMap& record);

/// How the nodes came about, by their places in the text: Parameters, statements, Results.
struct Creation {
  std::vector<std::int64_t> made;   ///< in the order of their ids; empty: that of the text
  std::vector<std::int64_t> waits;  ///< pairs: a node, and one that runs before it though it reads nothing of it
  /// of outputs whose readers are not in the order of their ids and ports: the node, the output, the number of its
  /// readers, then the node and the input of each one
  std::vector<std::int64_t> readers;
};

/// `shown`: all nodes in the order of the text.
Creation creation_of(const Graph& graph, const std::vector<Node>& shown);

/// Gives the nodes of a graph, whose ids are their places in the text, the order that they had. Says what is wrong with
/// `creation`, or nothing.
std::string restore(Graph& graph, const Creation& creation);

}  // namespace mo::text
