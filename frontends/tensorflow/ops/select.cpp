#include "ops/select.hpp"

#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {

void register_select(OperatorTable& table) {
  // TensorFlow Select: the condition is a scalar, has the shape of the data, or
  // is a vector that selects slices along the first dimension. Aligned at the
  // front, all three are the same.
  table.extract("Select", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    return ops::Select{.auto_broadcast = ops::AutoBroadcast::pdpd, .auto_broadcast_axis = 0};
  });
  table.extract("SelectV2", [](const FrameworkNode& node) -> Expected<Op> {
    if (has_complex_elements(node)) return movement_op(node, "TfComplexSelect");
    MO_TRY(expect_tensor(node));
    return ops::Select{};
  });
  table.extract("Where", [](const FrameworkNode& node) { return real_movement_op(node, "TfWhere"); });
}

}  // namespace mo::tensorflow
