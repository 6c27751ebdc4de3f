#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_pruning(PassRegistry& passes) {
  passes.offer(pipeline("Pruning")
                   .described("convolutions and matrix products with output channels whose weights are all zero",
                              "the model without these channels")
                   .then(PassUse("InitMasks"))
                   .then(PassUse("PropagateMasks"))
                   .then(PassUse("ShrinkWeights"))
                   .build());
}

}  // namespace mo::transformations
