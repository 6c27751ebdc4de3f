#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// Nodes are assigned to no device.
void register_remove_device(TransformRegistry& registry) {
  registry.register_transform("remove_device", Numbers::same,
                              [](Graph& graph, const TransformFuncContext&) -> Expected<void> {
                                for (const Node node : graph.nodes()) attributes_of(node).erase("@device");
                                return {};
                              });
  registry.describe("remove_device", {"Removes the device from all nodes", {}});
}

}  // namespace mo::graph_transforms
