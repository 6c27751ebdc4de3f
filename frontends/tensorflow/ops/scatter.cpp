#include "ops/scatter.hpp"

#include "frontends/tensorflow/ops/support/movement_attributes.hpp"

namespace mo::tensorflow {
namespace {

Extractor scatter_with(const char* reduction) {
  return [reduction](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_checked_indices(node));
    return real_movement_op(node, "TfTensorScatter", {{"reduction", reduction}});
  };
}

Extractor stitch() {
  return [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_pieces(node, 2, 0));
    return real_movement_op(node, "TfDynamicStitch");
  };
}

}  // namespace

/// Slices put to indices, and their opposite, slices taken apart by the number
/// of a partition.
void register_scatter(OperatorTable& table) {
  table.extract("TensorScatterUpdate", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_tensor(node));
    MO_TRY(expect_checked_indices(node));
    return ops::ScatterNDUpdate{};
  });
  table.extract("TensorScatterAdd", scatter_with("sum"));
  table.extract("TensorScatterSub", scatter_with("sub"));
  table.extract("TensorScatterMin", scatter_with("min"));
  table.extract("TensorScatterMax", scatter_with("max"));
  table.extract("ScatterNdNonAliasingAdd", scatter_with("sum"));
  table.extract("ScatterNd", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_checked_indices(node));
    return real_movement_op(node, "TfScatterNd");
  });
  table.extract("SparseToDense", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"validate_indices"});
    return real_movement_op(node, "TfSparseToDense");
  });
  table.extract("DynamicStitch", stitch());
  table.extract("ParallelDynamicStitch", stitch());
  table.extract("DynamicPartition", [](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const std::int64_t count, part_count(node, "num_partitions"));
    node.declare_outputs(static_cast<std::size_t>(count));
    return real_movement_op(node, "TfDynamicPartition");
  });
}

}  // namespace mo::tensorflow
