#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"
#include "transformations/support/constant_folding_marks.hpp"

namespace mo::transformations {

void register_disable_decompression_convert_constant_folding(PassRegistry& passes) {
  passes.offer(
      folding_mark("DisableDecompressionConvertConstantFolding", "Convert(x) {decompression}", [](const Node& node) {
        return node.is<ops::Convert>() && node.rt_info() && node.rt_info()->find("decompression");
      }));
}

}  // namespace mo::transformations
