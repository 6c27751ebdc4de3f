#pragma once

#include <string_view>

#include "core/graph/graph.hpp"

/// Names that a framework gives to operators, as authors of replacers write them: "Conv2D" of "tf::Conv2D", "Gelu" of "com.microsoft::Gelu".
namespace mo {

/// What stands behind the framework or the domain in the name of an op or of an operator.
std::string_view without_domain(std::string_view name);

/// The framework's name for the operator that a node is, extracted or not; empty when a pass made the node.
std::string_view framework_op_name(const Node& node);

}  // namespace mo
