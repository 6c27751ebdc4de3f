#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// Dropout does nothing in inference; the mask, where it is read, keeps everything. Until opset 6 the attribute is_test says which of both
/// is meant, with training as the default that exporters left; a converted model is for inference.
void register_dropout(OperatorTable& table) {
  table.extract("Dropout", versions(1, 6), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs", "is_test", "ratio"});
    if (node.output_used(1))
      return node.error("MO-ONNX-0113", "the mask is used, which has no value in inference").hint("cut off what reads it with --output");
    return front_op("OnnxDropout", {{"mask_is_boolean", false}});
  });
  // Dropout-7: the mask has the type of the data; Dropout-10: it is boolean; Dropout-12: ratio and training_mode are inputs.
  table.extract("Dropout", versions(7, 9), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"ratio"});
    return front_op("OnnxDropout", {{"mask_is_boolean", false}});
  });
  table.extract("Dropout", versions(10, 11), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"ratio"});
    return front_op("OnnxDropout", {{"mask_is_boolean", true}});
  });
  table.extract("Dropout", since(12), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"seed"});
    return front_op("OnnxDropout", {{"mask_is_boolean", true}});
  });
}

}  // namespace mo::onnx
