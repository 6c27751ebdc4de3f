#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// The first difference between two GraphDefs in a sentence; nothing when they are equal. Nodes are matched by name;
/// their order, the versions and the library do not count. Op, device, inputs (control inputs in any order) and
/// attributes do, but not attributes whose names begin with '_'. Errors: tensors that cannot be read.
std::optional<std::string> first_difference(const Graph& expected, const Graph& actual);

/// The program `compare_graphs`: 0 equal, 1 different, 255 for anything else.
int compare_main(int argc, char** argv);

}  // namespace mo::tools
