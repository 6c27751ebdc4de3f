#pragma once

#include "core/pass/pass.hpp"

/// What the original's InitNodeInfo does, in two steps that are transformations of their own.
namespace mo::transformations {

/// Attributes under the names of older versions get those of today. The context is asked for each node.
/// Says whether there were any.
bool fix_runtime_info(Graph& graph, const PassContext& context);

}  // namespace mo::transformations
