#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_convert_op_set2_to_op_set1(PassRegistry& passes) {
  passes.offer(pipeline("ConvertOpSet2ToOpSet1")
                   .described("SpaceToBatch, BatchToSpace", "ops of opset 1")
                   .then(PassUse("ConvertSpaceToBatch"))
                   .then(PassUse("ConvertBatchToSpace")));
}

}  // namespace mo::transformations
