#include "core/pass/library.hpp"

namespace mo::library::precision {

void register_compress_float_constants(PassLibrary& library) {
  library.add(pipeline("CompressFloatConstants")
                  .described("constants and inputs of type f32 or f64",
                             "constants of half the size; inputs are marked for programs that use the older interface")
                  .then(PassUse("CompressFloatConstantsImpl"))
                  .then(PassUse("AddOldApiMapToParameters"))
                  .build());
}

}  // namespace mo::library::precision
