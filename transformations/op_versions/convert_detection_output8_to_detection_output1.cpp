#include "core/registry/pass_registry.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_detection_output8_to_detection_output1(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertDetectionOutput8ToDetectionOutput1")
          .described("DetectionOutput.v8", "DetectionOutput.v1", "the number of classes follows from the shapes")
          .match(pattern::op<ops::v8::DetectionOutput>())
          .replace(of_op<ops::v8::DetectionOutput>(detection_output_of_opset1)));
}

}  // namespace mo::transformations
