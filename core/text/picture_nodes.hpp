#pragma once

#include <unordered_set>
#include <vector>

#include "core/text/visualize_tree.hpp"

namespace mo {

/// The nodes of one graph that a picture shows: all, those around some, or those nearest to the outputs, as `options`
/// ask for. `order`: of all nodes, topological.
std::unordered_set<NodeId> nodes_of_picture(const Graph& graph, const std::vector<Node>& order,
                                            const VisualizeOptions& options);

}  // namespace mo
