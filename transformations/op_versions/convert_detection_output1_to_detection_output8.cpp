#include "core/registry/pass_registry.hpp"
#include "ops/detection_output.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_detection_output1_to_detection_output8(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertDetectionOutput1ToDetectionOutput8")
          .described("DetectionOutput.v1", "DetectionOutput.v8, which finds the number of classes in the shapes")
          .match(pattern::op<ops::v0::DetectionOutput>())
          .replace(of_op<ops::v0::DetectionOutput>(
              [](const Node& node, const ops::v0::DetectionOutput& op, Rewriter& rw) -> Replacement {
                return on_same_inputs(node, rw, ops::v8::DetectionOutput(op));
              })));
}

}  // namespace mo::transformations
