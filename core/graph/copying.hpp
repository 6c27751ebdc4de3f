#pragma once

#include "core/graph/graph.hpp"

namespace mo {

/// A copy of the op of a node, to be used or changed.
Op copy_op(const Node& node);
/// A node like `node` in a graph, which may be the same one: its op, its number of outputs, its origin.
Node copy_node(const Node& node, Graph& to, std::span<const Value> inputs, std::string_view name);
/// The same with as many inputs, none of them connected: for graphs with cycles, and those that are read while they are
/// created.
Node copy_unconnected(const Node& node, Graph& to, std::string_view name);
/// Types and known values of the outputs.
void copy_facts(const Node& from, const Node& to);
/// The names that the framework gave to the outputs, after `prefix`.
void copy_tensor_names(const Node& from, const Node& to, std::string_view prefix = {});

}  // namespace mo
