#include "core/pass/library.hpp"
#include "extensions/library/support/constant_folding_marks.hpp"
#include "ops/random_uniform.hpp"

namespace mo::library::cleanup {

void register_disable_random_uniform_constant_folding(PassLibrary& library) {
  library.add(folding_mark("DisableRandomUniformConstantFolding", "RandomUniform(shape, min, max)",
                           [](const Node& node) { return node.is<ops::RandomUniform>(); }));
}

}  // namespace mo::library::cleanup
