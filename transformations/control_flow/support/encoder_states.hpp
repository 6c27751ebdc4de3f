#pragma once

#include "core/graph/graph.hpp"

namespace mo::transformations {

/// Values that depend on the Parameter `source` and on no other input, and that others read: each becomes a variable
/// that begins with the value and keeps it, so that it is computed in the first run after a reset only. Sizes are read
/// from variables, too, and do not become variables. O(nodes + edges).
Expected<void> keep_values_of(Graph& graph, const Node& source);

}  // namespace mo::transformations
