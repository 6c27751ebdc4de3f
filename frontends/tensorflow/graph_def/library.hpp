#pragma once

#include <map>
#include <string>

#include "core/graph/graph.hpp"

namespace mo::tensorflow {

/// What the nodes inside of the library's functions do: op -> how many nodes. Errors: MO-PB-* for a damaged library.
Expected<std::map<std::string, std::size_t>> count_library_ops(const Graph& graph);

}  // namespace mo::tensorflow
