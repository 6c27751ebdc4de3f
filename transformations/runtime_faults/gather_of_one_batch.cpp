#include <numeric>

#include "ops/gather.hpp"
#include "ops/squeeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_one(const TensorType& type, std::size_t axis) {
  return type.shape.has_rank() && axis < type.shape.size() && type.shape[axis] == Dimension(1);
}

/// Gather(data, indices, axis) with batch dimensions that are all 1 -> Gather of the indices without these dimensions,
/// which stay in the data.
template <OpLike Batched, OpLike Plain>
Replacement gather_of_one_batch(const Node& node, Rewriter& rw) {
  const TensorType& data = node.input_type(0);
  const TensorType& indices = node.input_type(1);
  std::int64_t count = node.as<Batched>()->batch_dims;
  if (count < 0) count += indices.rank().value_or(0);
  if (count <= 0) return Replacement::declined();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    if (!is_one(data, i) && !is_one(indices, i)) return declined("a batch dimension is not known to be 1");
  std::vector<std::int64_t> batch(static_cast<std::size_t>(count));
  std::iota(batch.begin(), batch.end(), 0);
  return rw.create(Plain{}, node.input(0), rw.fold(ops::Squeeze{}, node.input(1), rw.integers(batch)), node.input(2));
}

}  // namespace

void register_gather_of_one_batch(PassRegistry& passes) {
  passes.add(
      avoid_fault("GatherOfOneBatch", {.form = "Gather with batch_dims, where all batch dimensions are 1",
                                       .symptom = "few indices: other elements, or a crash",
                                       .first = "2022.1",
                                       .last = "latest",
                                       .replacement = "Squeeze of the indices, Gather without batch_dims"})
          .add(lowering<ops::v7::Gather>("BatchOfGather7", gather_of_one_batch<ops::v7::Gather, ops::v1::Gather>))
          .add(lowering<ops::v8::Gather>("BatchOfGather8", gather_of_one_batch<ops::v8::Gather, ops::v8::Gather>)));
}

}  // namespace mo::transformations
