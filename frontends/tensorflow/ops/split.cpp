#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {

/// A tensor cut into parts along an axis; Unpack drops the axis.
void register_split(OperatorTable& table) {
  table.extract("Split", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::int64_t count, part_count(node, "num_split"));
    node.declare_outputs(static_cast<std::size_t>(count));
    return movement_op(node, "TfSplit", {{"count", count}});
  });
  table.extract("SplitV", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::int64_t count, part_count(node, "num_split"));
    node.declare_outputs(static_cast<std::size_t>(count));
    return movement_op(node, "TfSplitV", {{"count", count}});
  });
  table.extract("Unpack", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::int64_t count, part_count(node, "num"));
    node.declare_outputs(static_cast<std::size_t>(count));
    return movement_op(node, "TfUnpack", {{"count", count}, {"axis", node.attr<std::int64_t>("axis", 0)}});
  });
}

}  // namespace mo::tensorflow
