#pragma once

#include "core/graph/graph.hpp"

namespace mo::graph_transforms {

/// Whether a node gives the same for the same inputs whenever it runs, and does nothing else. Of ops that nobody knows
/// we think not; nor of those that own graphs.
bool is_repeatable(const Node& node);

}  // namespace mo::graph_transforms
