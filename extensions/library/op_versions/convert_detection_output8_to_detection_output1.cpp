#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"

namespace mo::library::op_versions {

void register_convert_detection_output8_to_detection_output1(PassLibrary& library) {
  library.add(
      rewrite("ConvertDetectionOutput8ToDetectionOutput1")
          .described("DetectionOutput.v8", "DetectionOutput.v1", "the number of classes follows from the shapes")
          .match(pattern::op<ops::v8::DetectionOutput>())
          .replace(of_op<ops::v8::DetectionOutput>(back::detection_output_of_opset1)));
}

}  // namespace mo::library::op_versions
