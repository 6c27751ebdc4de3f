#include "core/pass/library.hpp"

namespace mo::library::offline {

void register_pruning(PassLibrary& library) {
  library.add(pipeline("Pruning")
                  .described("convolutions and matrix products with output channels whose weights are all zero",
                             "the model without these channels")
                  .then(PassUse("InitMasks"))
                  .then(PassUse("PropagateMasks"))
                  .then(PassUse("ShrinkWeights"))
                  .build());
}

}  // namespace mo::library::offline
