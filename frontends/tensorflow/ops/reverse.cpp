#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/reverse_sequence.hpp"

namespace mo::tensorflow {

void register_reverse(OperatorTable& table) {
  // One boolean for each dimension; from ReverseV2 on the axes.
  table.extract("Reverse", [](const FrameworkNode& node) { return movement_op(node, "TfReverse"); });
  table.extract("ReverseV2", [](const FrameworkNode& node) { return movement_op(node, "TfReverseV2"); });
  table.extract("ReverseSequence", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    const auto sequence = node.required<std::int64_t>("seq_dim");
    const auto batch = node.attr<std::int64_t>("batch_dim", 0);
    if (sequence < 0 || batch < 0 || (sequence == batch && !node.failure()))
      return node.error("MO-TF-0553", "seq_dim is {} and batch_dim {}", sequence, batch).hint("they are two different axes, counted from the front");
    return ops::ReverseSequence{.batch_axis = batch, .seq_axis = sequence};
  });
}

}  // namespace mo::tensorflow
