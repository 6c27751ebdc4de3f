#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_convert_op_set3_to_op_set2(PassRegistry& passes) {
  passes.offer(pipeline("ConvertOpSet3ToOpSet2")
                   .described("ops that opset 3 introduced (and SoftPlus)", "ops of opset 2")
                   .then(PassUse("ConvertBroadcast3"))
                   .then(PassUse("ConvertShapeOf3"))
                   .then(PassUse("ConvertShuffleChannels3"))
                   .then(PassUse("ConvertTopK3"))
                   .then(PassUse("SoftPlusDecomposition")));
}

}  // namespace mo::transformations
