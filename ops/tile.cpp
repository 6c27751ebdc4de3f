#include "ops/tile.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/expand.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {

Expected<void> Tile::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_integers(ctx, {1}));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  const TensorType& data = ctx.input(0);
  const auto repeats = list_elements(ctx, 1);
  PartialShape shape;
  if (repeats) {
    for (const Dimension& r : *repeats)
      if (r.is_known() && r.value() < 0)
        return ctx.error("MO-OPS-0005", "{} repeats", r.value()).hint("repeats are 0 or more");
    if (data.shape.has_rank()) {
      shape = PartialShape::of_rank(std::max(data.shape.size(), repeats->size()));
      const std::size_t missing_dims = shape.size() - data.shape.size();
      const std::size_t missing_repeats = shape.size() - repeats->size();
      for (std::size_t i = 0; i < shape.size(); ++i) {
        const Dimension size = i < missing_dims ? Dimension(1) : data.shape[i - missing_dims];
        shape[i] = size * (i < missing_repeats ? Dimension(1) : (*repeats)[i - missing_repeats]);
      }
    }
  }
  ctx.output(0, data.element_type, std::move(shape));
  return {};
}

Expected<void> Tile::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  reference::tile(ctx.input(0), ctx.output(0));
  return {};
}

void register_tile(OpRegistry& registry) { registry.add<Tile>(); }

}  // namespace mo::ops
