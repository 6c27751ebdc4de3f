#pragma once

#include <vector>

#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {

/// For each node id whether --outputs need the node, looking no further than --inputs, which count as needed. Error
/// MO-GTT-0018 for an output that is not there.
Expected<std::vector<bool>> reachable_nodes(GraphEditor& editor);

/// Erases all other nodes.
Expected<void> erase_unreachable(GraphEditor& editor);

}  // namespace mo::graph_transforms
