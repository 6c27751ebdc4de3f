#include "core/pass/library.hpp"
#include "extensions/library/support/constant_folding_marks.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::library::cleanup {
namespace {

bool is_read_once(const Node& node) {
  if (!is_of_quantized_weights(node)) return false;
  const auto reader = node.output().get_destination();
  return reader && (reader->node().is<ops::Subtract>() || reader->node().is<ops::Multiply>());
}

}  // namespace

void register_disable_convert_constant_folding_on_const_path(PassLibrary& library) {
  library.add(folding_mark("DisableConvertConstantFoldingOnConstPath",
                           "Convert(constant of i8, u8, i4 or u4) that one Subtract or Multiply reads", is_read_once));
}

}  // namespace mo::library::cleanup
