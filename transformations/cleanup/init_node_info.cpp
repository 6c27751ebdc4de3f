#include "core/registry/pass_registry.hpp"
#include "transformations/cleanup/support/node_info.hpp"

namespace mo::transformations {

/// Fused names are the provenance of nodes here, which the rewriter merges by itself.
void register_init_node_info(PassRegistry& passes) {
  passes.offer(graph_pass("InitNodeInfo")
                   .described("Op(x) without fused names", "Op(x) whose fused name is its own", "then FixRtInfo")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     for (const Node node : graph.nodes())
                       if (!node.name().empty() && node.sources().empty() && !context.skips(node))
                         node.add_source(node.name_id());
                     return fix_runtime_info(graph, context);  // names alone change no model
                   }));
}

}  // namespace mo::transformations
