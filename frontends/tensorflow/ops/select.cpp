#include "ops/select.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

/// One truth value stands for both parts of a complex number.
Replacement select_2(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(3));
  const Value condition =
      is_complex(node) ? rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({-1})) : node.input(0);
  return rw.create(ops::Select{}, condition, node.input(1), node.input(2));
}

/// Where(condition) -> Transpose(NonZero(condition)): one row for each place
Replacement where(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(1));
  return places_of(rw, node.input(0));
}

}  // namespace

void register_select(OperatorTable& table) {
  // TensorFlow Select: the condition is a scalar, has the shape of the data, or is a vector that selects slices along
  // the first dimension. Aligned at the front, all three are the same.
  table.extract("Select", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    return ops::Select{.auto_broadcast = ops::AutoBroadcast::pdpd, .auto_broadcast_axis = 0};
  });
  table.translate("SelectV2", select_2);
  table.translate("Where", where);
}

}  // namespace mo::tensorflow
