#pragma once

#include "core/graph/graph.hpp"

namespace mo::graph_transforms {

/// Whether a node always gives the same for the same inputs, and does nothing else. Unknown ops and ops that own graphs
/// count as not repeatable.
bool is_repeatable(const Node& node);

}  // namespace mo::graph_transforms
