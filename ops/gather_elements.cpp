#include "ops/gather_elements.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/gather.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {

Expected<void> GatherElements::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_indices(ctx, {1}));
  const TensorType& data = ctx.input(0);
  PartialShape shape = ctx.input_shape(1);
  const auto rank = data.rank() ? data.rank() : shape.rank();
  if (rank) {
    MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, axis, *rank));
    // Beside the axis, data and indices have the same dimensions (IR opset6).
    PartialShape beside = data.shape;
    if (beside.has_rank()) beside[static_cast<std::size_t>(place)] = Dimension();
    MO_ASSIGN(shape, merge_shapes(ctx, shape, beside, "data and indices beside the axis"));
  }
  ctx.output(0, data.element_type, std::move(shape));
  return {};
}

Expected<void> GatherElements::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  const std::int64_t place = *mo::normalize_axis(axis, data.rank());
  MO_ASSIGN(const std::vector<std::int64_t> indices,
            checked_indices(ctx, 1, data.shape()[static_cast<std::size_t>(place)], true));
  reference::gather_elements(data, indices, place, ctx.output(0));
  return {};
}

void register_gather_elements(OpRegistry& registry) { registry.add<GatherElements>(); }

}  // namespace mo::ops
