#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {

void register_pad(OperatorTable& table) {
  table.extract("Pad", [](const FrameworkNode& node) { return movement_op(node, "TfPad", {{"mode", "constant"}}); });
  // The value is input 2.
  table.extract("PadV2", [](const FrameworkNode& node) { return real_movement_op(node, "TfPadV2"); });
  table.extract("MirrorPad", [](const FrameworkNode& node) -> Expected<Op> {
    const auto mode = node.required<std::string>("mode");
    if (mode == "REFLECT") return movement_op(node, "TfPad", {{"mode", "reflect"}});
    if (mode == "SYMMETRIC") return movement_op(node, "TfPad", {{"mode", "symmetric"}});
    if (node.failure()) return *node.failure();
    return node.error("MO-TF-0553", "mode is \"{}\"", mode).hint("mode is REFLECT or SYMMETRIC");
  });
}

}  // namespace mo::tensorflow
