#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_older_op_sets(PassRegistry& passes) {
  passes.offer(
      pipeline("v10")
          .described("ops of the op sets above 7", "those that IR v10 has", "each where its own conditions hold")
          .then(PassUse("SliceToStridedSlice"))
          .then(PassUse("ConvertGather8ToGather7"))
          .then(PassUse("ConvertSoftMax8ToSoftMax1"))
          .then(PassUse("ConvertMaxPool8ToMaxPool1"))
          .then(PassUse("ConvertDeformableConv8To1"))
          .then(PassUse("ConvertPriorBox8To0"))
          .then(PassUse("ConvertDetectionOutput8ToDetectionOutput1"))
          .then(PassUse("ConvertROIAlign9To3"))
          .build());
  passes.offer(pipeline("plugins_2021")
                   .described("a model of the op sets up to 7", "the ops that the plugins of 2021 take",
                              "common_2021_4, then op sets 3 and 2 down to 1")
                   .then(PassUse("common_2021_4"))
                   .then(PassUse("ConvertOpSet3ToOpSet2"))
                   .then(PassUse("ConvertOpSet2ToOpSet1"))
                   .build());
}

}  // namespace mo::transformations
