#include "core/registry/pass_registry.hpp"
#include "ops/random_uniform.hpp"
#include "transformations/support/constant_folding_marks.hpp"

namespace mo::transformations {

void register_disable_random_uniform_constant_folding(PassRegistry& passes) {
  passes.offer(folding_mark("DisableRandomUniformConstantFolding", "RandomUniform(shape, min, max)",
                            [](const Node& node) { return node.is<ops::RandomUniform>(); }));
}

}  // namespace mo::transformations
