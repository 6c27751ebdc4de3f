#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"
#include "core/graph/graph.hpp"

namespace mo::phases {

/// Tells what a user can do about `op` (a framework's name, "com.acme::Norm" with a domain), which `node` is the first
/// of: the finished description for --custom_ops, or the entry for --custom_layers_mapping. Adds notes.
void add_custom_op(Diagnostic& problem, std::string_view framework, std::string_view op, const Node& node);

/// The tensors where the part of the graph ends that needs none of `unsupported`, by the names that --output takes.
/// Empty when that part is nothing but inputs and constants, or ends in more than a few tensors.
std::vector<std::string> last_supported_tensors(const Graph& graph, const std::vector<Node>& unsupported);

/// The name of a tensor as --output takes it: its own, or that of its node.
std::string name_for_output(const OutPort& port);

}  // namespace mo::phases
