#include "core/pass/library.hpp"

namespace mo::library::op_versions {

void register_convert_op_set2_to_op_set1(PassLibrary& library) {
  library.add(pipeline("ConvertOpSet2ToOpSet1")
                  .described("SpaceToBatch, BatchToSpace", "ops of opset 1")
                  .then(PassUse("ConvertSpaceToBatch"))
                  .then(PassUse("ConvertBatchToSpace")));
}

}  // namespace mo::library::op_versions
