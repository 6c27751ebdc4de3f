#include "core/pass/library.hpp"
#include "extensions/library/support/node_info.hpp"

namespace mo::library::cleanup {

void register_fix_rt_info(PassLibrary& library) {
  library.add(
      graph_pass("FixRtInfo")
          .described("Op(x) {PrimitivesPriority}", "Op(x) {primitives_priority}")
          .asks_nodes()
          .run([](Graph& graph, PassContext& context) -> Expected<bool> { return fix_runtime_info(graph, context); }));
}

}  // namespace mo::library::cleanup
