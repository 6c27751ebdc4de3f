#include "core/pass/library.hpp"
#include "extensions/library/support/constant_folding_marks.hpp"
#include "ops/convert.hpp"

namespace mo::library::cleanup {

void register_enable_decompression_convert_constant_folding(PassLibrary& library) {
  library.add(graph_pass("EnableDecompressionConvertConstantFolding")
                  .described("Convert(x) {decompression, disable_constant_folding}", "Convert(x) {decompression}")
                  .asks_nodes()
                  .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                    bool changed = false;
                    for (const Node node : graph.nodes()) {
                      if (!node.is<ops::Convert>() || !is_folding_disabled(node) || !node.rt_info()->find("decompression") || context.skips(node))
                        continue;
                      node.erase_rt_info(kDisableConstantFolding);
                      changed = true;
                    }
                    return changed;
                  }));
}

}  // namespace mo::library::cleanup
