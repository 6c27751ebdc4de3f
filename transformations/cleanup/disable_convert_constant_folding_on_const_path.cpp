#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "transformations/support/constant_folding_marks.hpp"

namespace mo::transformations {
namespace {

bool is_read_once(const Node& node) {
  if (!is_of_quantized_weights(node)) return false;
  const auto reader = node.output().get_destination();
  return reader && (reader->node().is<ops::Subtract>() || reader->node().is<ops::Multiply>());
}

}  // namespace

void register_disable_convert_constant_folding_on_const_path(PassRegistry& passes) {
  passes.offer(folding_mark("DisableConvertConstantFoldingOnConstPath",
                            "Convert(constant of 2 to 8 bits) that one Subtract or Multiply reads", is_read_once));
}

}  // namespace mo::transformations
