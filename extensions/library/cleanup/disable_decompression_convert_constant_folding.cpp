#include "core/pass/library.hpp"
#include "extensions/library/support/constant_folding_marks.hpp"
#include "ops/convert.hpp"

namespace mo::library::cleanup {

void register_disable_decompression_convert_constant_folding(PassLibrary& library) {
  library.add(
      folding_mark("DisableDecompressionConvertConstantFolding", "Convert(x) {decompression}", [](const Node& node) {
        return node.is<ops::Convert>() && node.rt_info() && node.rt_info()->find("decompression");
      }));
}

}  // namespace mo::library::cleanup
