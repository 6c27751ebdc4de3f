#pragma once

#include <optional>

#include "tools/inspect/cuts.hpp"

namespace mo::tools {

/// Whether the node is in a scope of gradients or savers, or is an optimiser's update.
bool is_of_training(const Node& node);

/// The net inside of a graph of TensorFlow 1 that trains it: what its inputs and variables lead to, without gradients,
/// optimisers, savers, and whatever needs labels. Its outputs are what the losses read. Nothing when the graph does not
/// train.
std::optional<Part> forward_part(const Graph& graph);

}  // namespace mo::tools
