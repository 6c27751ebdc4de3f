#include <algorithm>

#include "core/pass/library.hpp"
#include "extensions/library/support/constant_folding_marks.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::library::cleanup {
namespace {

bool is_of_quantized_weights(const Node& node) {
  if (!node.is<ops::Convert>() || !node.input(0).node().is<Const>()) return false;
  const ElementType type = node.input_type(0).element_type;
  if (!is_integral(type) || (bit_width(type) != 8 && bit_width(type) != 4)) return false;
  const auto reader = node.output().get_destination();
  return reader && (reader->node().is<ops::Subtract>() || reader->node().is<ops::Multiply>());
}

}  // namespace

void register_disable_convert_constant_folding_on_const_path(PassLibrary& library) {
  library.add(folding_mark("DisableConvertConstantFoldingOnConstPath", "Convert(constant of i8, u8, i4 or u4) that one Subtract or Multiply reads",
                           is_of_quantized_weights));
}

}  // namespace mo::library::cleanup
