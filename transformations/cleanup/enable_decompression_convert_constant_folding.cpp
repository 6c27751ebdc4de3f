#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"
#include "transformations/support/constant_folding_marks.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {

void register_enable_decompression_convert_constant_folding(PassRegistry& passes) {
  passes.offer(graph_pass("EnableDecompressionConvertConstantFolding")
                   .described("Convert(x) {decompression}", "Convert(x) {decompression, allow_constant_folding}")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     bool changed = false;
                     for (const Node node : graph.nodes()) {
                       if (!node.is<ops::Convert>() || !has_mark(node, kDecompression) ||
                           has_mark(node, kAllowConstantFolding) || context.skips(node))
                         continue;
                       node.erase_rt_info(kDisableConstantFolding);
                       node.set_rt_info(kAllowConstantFolding);
                       changed = true;
                     }
                     return changed;
                   }));
}

}  // namespace mo::transformations
