#include "ops/range.hpp"

#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {

void register_range(OperatorTable& table) {
  table.extract("Range", [](const FrameworkNode& node) -> Expected<Op> { return ops::Range{.output_type = node.attr("Tidx", ElementType::i32)}; });
  table.extract("LinSpace", [](const FrameworkNode& node) { return real_movement_op(node, "TfLinSpace"); });
}

}  // namespace mo::tensorflow
