#include "ops/space_to_depth.hpp"

#include <limits>

#include "core/op/define_op.hpp"
#include "ops/reference/blocks.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {

Expected<void> SpaceToDepth::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(ctx.expect_rank(0, 3, std::numeric_limits<std::int64_t>::max()));
  TensorType data = ctx.input(0);
  MO_ASSIGN(const std::int64_t volume, block_volume(ctx, block_size, data.rank().value_or(3)));
  if (data.shape.has_rank()) {
    data.shape[1] = data.shape[1] * volume;
    for (std::size_t d = 2; d < data.shape.size(); ++d) {
      MO_ASSIGN(data.shape[d], divide_dimension(ctx, data.shape[d], block_size));
    }
  }
  ctx.output(0, std::move(data));
  return {};
}

Expected<void> SpaceToDepth::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  reference::space_to_depth(ctx.input(0), block_size, mode == DepthMode::blocks_first, ctx.output(0));
  return {};
}

void register_space_to_depth(OpRegistry& registry) { registry.add<SpaceToDepth>(); }

}  // namespace mo::ops
