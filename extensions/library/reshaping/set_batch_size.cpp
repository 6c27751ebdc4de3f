#include "core/pass/library.hpp"

namespace mo::library::reshaping {

void register_set_batch_size(PassLibrary& library) {
  library.add(
      pipeline("SetBatchSize")
          .described("hard-coded batches", "batches computed from the inputs", "run before a model gets another batch")
          .then(PassUse("InitNodeInfo"))
          .then(PassUse("SharedSqueeze"))
          .then(PassUse("SqueezeStridedSlice"))
          .then(PassUse("StridedSliceSqueeze"))
          .then(PassUse("MimicSetBatchSize")));
}

}  // namespace mo::library::reshaping
