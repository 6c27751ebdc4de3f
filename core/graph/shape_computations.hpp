#pragma once

#include <cstdint>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo {

/// By node id: 1 for nodes whose value is used as a shape, an axis or a size: what feeds inputs that ops declare as
/// such (`shape_inputs`), up to where shapes are read from tensors. Their numbers need all their digits. Of this graph
/// only, not of the bodies inside. O(nodes + edges).
std::vector<std::uint8_t> shape_computations(const Graph& graph);

}  // namespace mo
