#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_transpose_sinking(PassRegistry& passes) {
  passes.offer(pipeline("TransposeSinking")
                   .described("Transposes before other ops", "Transposes after them, and none where two cancel")
                   .group("TransposeSinking", {"TransposeFQReduction", "TransposeReduction", "TransposeConvert",
                                               "TransposeEltwise", "TransposeFuse"}));
}

}  // namespace mo::transformations
