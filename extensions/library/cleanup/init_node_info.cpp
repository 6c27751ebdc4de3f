#include "core/pass/library.hpp"
#include "extensions/library/support/node_info.hpp"

namespace mo::library::cleanup {

/// Fused names are the provenance of nodes here, which the rewriter merges by itself.
void register_init_node_info(PassLibrary& library) {
  library.add(graph_pass("InitNodeInfo")
                  .described("Op(x) without fused names", "Op(x) whose fused name is its own", "then FixRtInfo")
                  .run([](Graph& graph, PassContext&) -> Expected<bool> {
                    for (const Node node : graph.nodes())
                      if (!node.name().empty() && node.sources().empty()) node.add_source(node.name_id());
                    return fix_runtime_info(graph);  // names alone change no model
                  }));
}

}  // namespace mo::library::cleanup
