#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// No node waits for another one whose tensors it does not read.
void register_remove_control_dependencies(TransformRegistry& registry) {
  registry.register_transform("remove_control_dependencies", Numbers::same,
                              [](Graph& graph, const TransformFuncContext&) -> Expected<void> {
                                graph.drop_control_edges();
                                return {};
                              });
  registry.describe("remove_control_dependencies", {"Removes all control inputs", {}});
}

}  // namespace mo::graph_transforms
