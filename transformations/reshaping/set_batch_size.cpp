#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_set_batch_size(PassRegistry& passes) {
  passes.offer(
      pipeline("SetBatchSize")
          .described("hard-coded batches", "batches computed from the inputs", "run before a model gets another batch")
          .then(PassUse("InitNodeInfo"))
          .then(PassUse("SharedSqueeze"))
          .then(PassUse("SqueezeStridedSlice"))
          .then(PassUse("StridedSliceSqueeze"))
          .then(PassUse("MimicSetBatchSize")));
}

}  // namespace mo::transformations
