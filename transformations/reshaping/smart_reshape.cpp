#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_smart_reshape(PassRegistry& passes) {
  passes.offer(pipeline("SmartReshape")
                   .described("sizes of today's inputs inside of the model", "sizes computed from its inputs",
                              "run before a model gets other shapes")
                   .then(PassUse("InitNodeInfo"))
                   .then(PassUse("ReshapeTo1D"))
                   .then(PassUse("Proposal1Scales"))
                   .then(PassUse("Proposal4Scales"))
                   .then(PassUse("SharedSqueeze"))
                   .then(PassUse("SqueezeStridedSlice"))
                   .then(PassUse("StridedSliceSqueeze"))
                   .then(PassUse("ReshapeTo1D"))
                   .then(PassUse("TransposeMatMul"))
                   .then(PassUse("BroadcastConstRangeReplacement"))
                   .then(PassUse("ReshapeAMatMul"))
                   .then(PassUse("ReshapeBMatMul")));
}

}  // namespace mo::transformations
