#include "ops/roll.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/take.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/moving.hpp"

namespace mo::ops {

Expected<void> Roll::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_indices(ctx, {1, 2}));
  MO_TRY(ctx.expect_rank(1, 0, 1));
  MO_TRY(ctx.expect_rank(2, 0, 1));
  const auto shifts = list_length(ctx, 1);
  const auto axes = list_length(ctx, 2);
  const bool listed = ctx.input_shape(1).has_rank() && ctx.input_shape(1).size() == 1;
  if (listed) MO_TRY(ctx.expect_rank(2, 1, 1));
  if (shifts && axes && *shifts != *axes && (listed || *shifts != 1))
    return ctx.error("MO-OPS-0209", "{} shifts for {} axes", *shifts, *axes)
        .hint("give one shift for each axis, or a scalar for all");
  const TensorType& data = ctx.input(0);
  if (const auto rank = data.rank())
    if (const auto list = ctx.integers(2))
      for (const std::int64_t axis : *list) MO_TRY(normalize_axis(ctx, axis, *rank));
  ctx.output(0, data);
  return {};
}

Expected<void> Roll::evaluate(EvalContext& ctx) const {
  if (moves_packed_elements(ctx, traits.moves_elements)) return evaluate_by_ids(ctx, *this);
  const Tensor& data = ctx.input(0);
  if (data.element_count() == 0) return {};
  MO_ASSIGN(const std::vector<std::int64_t> shifts, ctx.integers(1));
  MO_ASSIGN(const std::vector<std::int64_t> axes, ctx.integers(2));
  std::vector<std::int64_t> distance(data.shape().size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    MO_ASSIGN(const std::int64_t axis, checked_axis(ctx, axes[i], data.rank()));
    const auto d = static_cast<std::size_t>(axis);
    distance[d] = (distance[d] + (shifts.size() == 1 ? shifts[0] : shifts[i]) % data.shape()[d]) % data.shape()[d];
  }
  std::vector<std::vector<std::int64_t>> tables;
  for (std::size_t d = 0; d < distance.size(); ++d) {
    const std::int64_t size = data.shape()[d];
    std::vector<std::int64_t> table(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) table[static_cast<std::size_t>(i)] = (i - distance[d] + size) % size;
    tables.push_back(std::move(table));
  }
  reference::take(data, tables, {}, ctx.output(0));
  return {};
}

void register_roll(OpRegistry& registry) { registry.add<Roll>(); }

}  // namespace mo::ops
