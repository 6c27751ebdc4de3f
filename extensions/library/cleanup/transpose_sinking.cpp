#include "core/pass/library.hpp"

namespace mo::library::cleanup {

void register_transpose_sinking(PassLibrary& library) {
  library.add(pipeline("TransposeSinking")
                  .described("Transposes before other ops", "Transposes after them, and none where two cancel")
                  .group("TransposeSinking", {"TransposeFQReduction", "TransposeReduction", "TransposeConvert",
                                              "TransposeEltwise", "TransposeFuse"}));
}

}  // namespace mo::library::cleanup
