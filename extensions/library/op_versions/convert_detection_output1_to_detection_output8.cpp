#include "core/pass/library.hpp"
#include "extensions/back/older_classes.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/detection_output.hpp"

namespace mo::library::op_versions {

void register_convert_detection_output1_to_detection_output8(PassLibrary& library) {
  library.add(
      rewrite("ConvertDetectionOutput1ToDetectionOutput8")
          .described("DetectionOutput.v1", "DetectionOutput.v8, which finds the number of classes in the shapes")
          .match(pattern::op<ops::v0::DetectionOutput>())
          .replace(of_op<ops::v0::DetectionOutput>(
              [](const Node& node, const ops::v0::DetectionOutput& op, Rewriter& rw) -> Replacement {
                return back::on_same_inputs(node, rw, ops::v8::DetectionOutput(op));
              })));
}

}  // namespace mo::library::op_versions
