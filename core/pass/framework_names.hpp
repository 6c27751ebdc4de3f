#pragma once

#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

/// Names that a framework gives to operators, as authors of replacers write them: "Conv2D" of "tf::Conv2D", "Gelu" of
/// "com.microsoft::Gelu".
namespace mo {

/// The part after the framework or the domain in the name of an op or of an operator.
std::string_view without_domain(std::string_view name);

/// The framework's name for the operator that a node is, extracted or not; empty when a pass made the node.
std::string_view framework_op_name(const Node& node);

/// The nodes that an op or operator of this name is, as front_replacement_op finds them: "TopK", "com.microsoft::Gelu".
/// In id order; bodies not included. The Model Optimizer's get_op_nodes(op=…).
std::vector<Node> op_nodes(const Graph& graph, std::string_view name);

}  // namespace mo
