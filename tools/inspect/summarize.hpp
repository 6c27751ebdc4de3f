#pragma once

#include <string>

#include "core/diagnostics/exit_code.hpp"
#include "core/graph/graph.hpp"

namespace mo::tools {

/// What `summarize_graph` says of a GraphDef: possible inputs, variables and outputs, parameters, devices, ops, and the
/// command line for TensorFlow's benchmark; with `structure` also every node in order of execution. `path`: as the user
/// wrote it. Errors: of a damaged library.
Expected<std::string> summary_of(const Graph& graph, const std::string& path, bool structure);

/// "12.35M": numbers of parameters as the summary prints them.
std::string readable_count(std::int64_t count);

/// The program `summarize_graph`.
ExitCode summarize_main(int argc, char** argv);

}  // namespace mo::tools
