#include "ops/gather.hpp"
#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/gather_nd.hpp"

namespace mo::tensorflow {

/// Slices at indices. Those of resources read the value of the variable, which
/// has taken the place of its handle by now.
void register_gather(OperatorTable& table) {
  table.extract("Gather", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"validate_indices"});
    return movement_op(node, "TfGather", {{"batch_dims", std::int64_t{0}}}, "Tparams");
  });
  table.extract("GatherV2", [](const FrameworkNode& node) -> Expected<Op> {
    const auto batch_dims = node.attr<std::int64_t>("batch_dims", 0);
    if (has_complex_elements(node, "Tparams")) return movement_op(node, "TfComplexGather", {{"batch_dims", batch_dims}}, "Tparams");
    return ops::Gather{.batch_dims = batch_dims};
  });
  // TensorFlow ResourceGather: behind the batch dimensions, which indices and
  // variable share.
  table.extract("ResourceGather", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"validate_indices"});
    const auto batch_dims = node.attr<std::int64_t>("batch_dims", 0);
    if (batch_dims < 0)
      return node.error("MO-TF-0553", "batch_dims is {}", batch_dims).hint("it is the number of dimensions that variable and indices share");
    return movement_op(node, "TfGather", {{"batch_dims", batch_dims}}, "dtype");
  });
  table.extract("GatherNd", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_checked_indices(node));
    return ops::GatherND{.batch_dims = node.attr<std::int64_t>("batch_dims", 0)};
  });
  table.extract("ResourceGatherNd", [](const FrameworkNode&) -> Expected<Op> { return ops::GatherND{}; });
}

}  // namespace mo::tensorflow
