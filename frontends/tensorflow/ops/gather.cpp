#include "ops/gather.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/gather_nd.hpp"

namespace mo::tensorflow {
namespace {

/// Slices of input 0 at the indices of input 1, after the batch dimensions.
Replacement gathered_behind_batch(const FrameworkNode& node, Rewriter& rw, std::int64_t batch_dims,
                                  std::string_view type) {
  node.ignore({"validate_indices"}, "whether indices are checked; wrong ones have no defined result");
  MO_TRY(expect_tensor(node, type));
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Gather{.batch_dims = batch_dims}, node.input(0), node.input(1), rw.scalar(batch_dims));
}

Replacement gather(const FrameworkNode& node, Rewriter& rw) { return gathered_behind_batch(node, rw, 0, "Tparams"); }

/// TensorFlow ResourceGather: after the batch dimensions, which indices and variable share.
Replacement resource_gather(const FrameworkNode& node, Rewriter& rw) {
  const auto batch_dims = node.attr<std::int64_t>("batch_dims", 0);
  if (batch_dims < 0)
    return node.error("MO-TF-0553", "batch_dims is {}", batch_dims)
        .hint("it is the number of dimensions that variable and indices share");
  return gathered_behind_batch(node, rw, batch_dims, "dtype");
}

/// Along the axis that input 2 gives.
Replacement gather_2(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const ops::Gather op{.batch_dims = node.attr<std::int64_t>("batch_dims", 0)};
  if (!is_complex(node, "Tparams")) return rw.create(op, node.input(0), node.input(1), node.input(2));
  MO_ASSIGN(const std::int64_t axis, known_number(node, 2, "the axis"));
  return rw.create(op, node.input(0), node.input(1), rw.scalar(with_hidden_axis(node, axis, "Tparams")));
}

}  // namespace

/// Slices at indices. Those of resources read the value of the variable, which has taken the place of its handle by
/// now.
void register_gather(OperatorTable& table) {
  table.translate("Gather", gather);
  table.translate("GatherV2", gather_2);
  table.translate("ResourceGather", resource_gather);
  table.extract("GatherNd", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(expect_checked_indices(node));
    return ops::GatherND{.batch_dims = node.attr<std::int64_t>("batch_dims", 0)};
  });
  table.extract("ResourceGatherNd", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"dtype"}, "the type of the variable");
    return ops::GatherND{};
  });
}

}  // namespace mo::tensorflow
