#pragma once

#include "graph_transforms/engine/context.hpp"

/// Slips of those who write arguments: a transform that finds nothing of what it is to change does nothing, and says
/// so.
namespace mo::graph_transforms {

/// Warning MO-GTT-0065 when no node has one of the ops that the argument names ("*": all), with the nearest op that
/// there is. Recipes list ops that a graph may lack: one that is there is enough.
void warn_of_unknown_ops(const Graph& graph, const TransformFuncContext& context, std::string_view argument);
/// The same for names of nodes.
void warn_of_unknown_nodes(const Graph& graph, const TransformFuncContext& context, std::string_view argument);
/// The same for names of attributes.
void warn_of_unknown_attributes(const Graph& graph, const TransformFuncContext& context, std::string_view argument);

}  // namespace mo::graph_transforms
