#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/broadcast.hpp"

namespace mo::tensorflow {

/// Tensors of one number, and tensors stretched to a shape.
void register_fill(OperatorTable& table) {
  table.extract("Fill", [](const FrameworkNode& node) { return movement_op(node, "TfFill"); });
  table.extract("ZerosLike", [](const FrameworkNode& node) { return movement_op(node, "TfNumbersLike", {{"number", 0.0}}); });
  table.extract("OnesLike", [](const FrameworkNode& node) { return movement_op(node, "TfNumbersLike", {{"number", 1.0}}); });
  table.extract("BroadcastTo", [](const FrameworkNode& node) -> Expected<Op> {
    if (has_complex_elements(node)) return movement_op(node, "TfComplexBroadcastTo");
    return ops::Broadcast{};
  });
  table.extract("BroadcastArgs", [](const FrameworkNode& node) { return real_movement_op(node, "TfBroadcastArgs"); });
}

}  // namespace mo::tensorflow
