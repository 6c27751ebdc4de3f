#include "core/pass/library.hpp"
#include "extensions/library/support/node_info.hpp"

namespace mo::library::cleanup {

void register_fix_rt_info(PassLibrary& library) {
  library.add(graph_pass("FixRtInfo")
                  .described("Op(x) {PrimitivesPriority}", "Op(x) {primitives_priority}")
                  .run([](Graph& graph, PassContext&) -> Expected<bool> { return fix_runtime_info(graph); }));
}

}  // namespace mo::library::cleanup
