#pragma once

#include <vector>

#include "tools/inspect/facts.hpp"

namespace mo::tools {

/// Multiply-adds of each layer that multiplies tensors (convolutions, products, recurrent layers), in topological order
/// where there is one. A body is counted once: how often it runs is not known. The graph has types.
std::vector<LayerCost> costs_of(const Graph& graph);

}  // namespace mo::tools
