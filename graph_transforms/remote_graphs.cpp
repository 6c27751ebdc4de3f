#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// Transforms of versions 1.1 to 2.1 that wrap parts of a graph in RemoteFusedGraphExecute, for the runtime of a signal
/// processor that later versions do without. Their names are known, so that users do not look for a mistake in the
/// command line.
void register_remote_graphs(TransformRegistry& registry) {
  for (const char* name :
       {"fuse_remote_graph", "place_remote_graph_arguments", "rewrite_quantized_stripped_model_for_hexagon"}) {
    registry.register_transform(name, [name](Graph&, const TransformFuncContext&) -> Expected<void> {
      return error("MO-GTT-0051",
                   "{} is not available: it packs parts of a graph for the runtime of Hexagon processors, which only "
                   "that runtime can read",
                   name)
          .hint("leave it out; write ignore_errors=true to go on without it");
    });
    registry.describe(name, {"Not supported: only the runtime of Hexagon processors can read the result", {}});
  }
}

}  // namespace mo::graph_transforms
