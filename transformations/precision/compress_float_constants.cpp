#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_compress_float_constants(PassRegistry& passes) {
  passes.offer(pipeline("CompressFloatConstants")
                   .described("constants and inputs of type f32 or f64",
                              "constants of half the size; inputs are marked for programs that use the older interface")
                   .then(PassUse("CompressFloatConstantsImpl"))
                   .then(PassUse("AddOldApiMapToParameters"))
                   .build());
}

}  // namespace mo::transformations
