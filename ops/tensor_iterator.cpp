#include "ops/tensor_iterator.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/iterate.hpp"

namespace mo::ops {

Expected<void> TensorIterator::infer(InferContext& ctx) const {
  return infer_iteration(ctx, {body.graph(), input_map, output_map, back_edges, std::nullopt});
}

Expected<void> TensorIterator::evaluate(EvalContext& ctx) const {
  return run_iteration(ctx, {body.graph(), input_map, output_map, back_edges, std::nullopt}, -1, true);
}

void register_tensor_iterator(OpRegistry& registry) { registry.add<TensorIterator>(); }

}  // namespace mo::ops
