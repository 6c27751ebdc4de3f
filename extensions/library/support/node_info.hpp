#pragma once

#include "core/graph/graph.hpp"

/// What the original's InitNodeInfo does, in two steps that are transformations of their own.
namespace mo::library {

/// Attributes under the names of older versions get those of today. Says whether there were any.
bool fix_runtime_info(Graph& graph);

}  // namespace mo::library
