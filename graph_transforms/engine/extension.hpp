#pragma once

#include <string>

#include "core/registry/registry.hpp"
#include "graph_transforms/engine/registry.hpp"

/// Transforms that plugins bring. A transform is a pass, as every replacement is: it is registered with the other
/// passes and found by its name.
namespace mo::graph_transforms {

/// For a plugin: adds a transform that `transform_graph --extensions` and mo's --transforms know by this name.
void register_transform(Registry& registry, std::string name, TransformFunc transform);

/// A pass as a transform. It gets the context of the call by its settings; settings of its own get the arguments by
/// name. Error MO-GTT-0052 when it makes ops that are not of the framework of the graph, and so cannot be written;
/// those of the pass.
TransformFunc transform_of(const Pass& pass);

}  // namespace mo::graph_transforms
