#include "core/registry/pass_registry.hpp"
#include "transformations/cleanup/support/node_info.hpp"

namespace mo::transformations {

void register_fix_rt_info(PassRegistry& passes) {
  passes.offer(
      graph_pass("FixRtInfo")
          .described("Op(x) {PrimitivesPriority}", "Op(x) {primitives_priority}")
          .asks_nodes()
          .run([](Graph& graph, PassContext& context) -> Expected<bool> { return fix_runtime_info(graph, context); }));
}

}  // namespace mo::transformations
