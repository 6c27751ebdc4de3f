#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"

namespace mo::onnx {
namespace {

constexpr const char* kNothingIsDropped = "nothing is dropped in inference";

/// Dropout-12: whether the node would drop elements: training_mode (input 2) is true, or not known, and ratio (input 1)
/// is not 0.
bool may_drop(const FrameworkNode& node) {
  if (!node.has_input(2)) return false;
  return single_integer_of(node.input(2)) != 0 && single_real_of(node.input(1)) != 0;
}

/// x, and a mask that keeps everything, where it is read.
Replacement nothing_dropped(const FrameworkNode& node, Rewriter& rw, bool mask_is_boolean) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  Outputs outputs(node.output_count());
  outputs[0] = x;
  if (node.output_used(1)) {
    const Value one = mask_is_boolean ? rw.scalar<bool>(true) : number_like(rw, x, 1);
    outputs[1] = rw.create(ops::Broadcast{}, one, shape_of(rw, x));
  }
  return outputs;
}

/// Until opset 6 the attribute is_test says which of both is meant, with training as the default that exporters left; a
/// converted model is for inference.
Replacement dropout_of_opset_1(const FrameworkNode& node, Rewriter&) {
  MO_TRY(node.expect_inputs(1));
  node.ignore({"is_test"}, "a converted model is for inference; exporters left the default, which is training");
  node.ignore({"ratio"}, kNothingIsDropped);
  if (node.output_used(1))
    return node.error("MO-ONNX-0113", "the mask is used, which has no value in inference")
        .hint("cut off what reads it with --output");
  return node.input(0);
}

/// Dropout-7: the mask has the type of the data.
Replacement dropout_of_opset_7(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"ratio"}, kNothingIsDropped);
  return nothing_dropped(node, rw, false);
}

/// Dropout-10: it is boolean.
Replacement dropout_of_opset_10(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"ratio"}, kNothingIsDropped);
  return nothing_dropped(node, rw, true);
}

/// Dropout-12: ratio and training_mode are inputs.
Replacement dropout_of_opset_12(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"seed"}, kNothingIsDropped);
  node.ignore_input(1, kNothingIsDropped);
  if (may_drop(node))
    return node.error("MO-ONNX-0114", "training_mode is true, or only known at run time")
        .hint("export the model for inference, or fix the input with --input 'training_mode->false'");
  return nothing_dropped(node, rw, true);
}

}  // namespace

/// Dropout does nothing in inference.
void register_dropout(OperatorTable& table) {
  table.translate("Dropout", versions(1, 6), dropout_of_opset_1);
  table.translate("Dropout", versions(7, 9), dropout_of_opset_7);
  table.translate("Dropout", versions(10, 11), dropout_of_opset_10);
  table.translate("Dropout", since(12), dropout_of_opset_12);
}

}  // namespace mo::onnx
