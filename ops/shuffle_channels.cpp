#include "ops/shuffle_channels.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/blocks.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/moving.hpp"
#include "ops/support/space_blocks.hpp"

namespace mo::ops {

Expected<void> ShuffleChannels::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  const TensorType& data = ctx.input(0);
  if (group < 1) return ctx.error("MO-OPS-0216", "group is {}", group).hint("there is at least one group");
  if (data.shape.has_rank()) {
    MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, axis, *data.rank()));
    MO_TRY(divide_dimension(ctx, data.shape[static_cast<std::size_t>(place)], group));
  }
  ctx.output(0, data);
  return {};
}

Expected<void> ShuffleChannels::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  reference::shuffle_channels(ctx.input(0), *mo::normalize_axis(axis, ctx.input(0).rank()), group, ctx.output(0));
  return {};
}

void register_shuffle_channels(OpRegistry& registry) { registry.add<ShuffleChannels>(); }

}  // namespace mo::ops
