#include "ops/loop.hpp"

#include <limits>

#include "core/op/define_op.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/iterate.hpp"

namespace mo::ops {
namespace {

Expected<void> expect_one_number(const InferContext& ctx, std::size_t i, std::string_view what) {
  const auto count = ctx.input_shape(i).element_count();
  if (!count || *count == 1) return {};
  return ctx.error("MO-OPS-0416", "the {} has {} elements", what, *count).hint("it is a scalar or has one element");
}

/// The trip count as a dimension: unknown when it is not known or -1 (no limit).
Dimension trip_count(const InferContext& ctx) {
  const auto partial = ctx.partial(0);
  if (!partial || partial->elements.size() != 1) return {};
  const Dimension& trips = partial->elements.front();
  return trips.min() < 0 ? Dimension() : trips;
}

}  // namespace

Expected<void> Loop::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, std::numeric_limits<std::size_t>::max()));
  MO_TRY(expect_element_type(ctx, 0, is_integral, "an integer type"));
  MO_TRY(expect_element_type(
      ctx, 1, [](ElementType t) { return t == ElementType::boolean; }, "boolean"));
  MO_TRY(expect_one_number(ctx, 0, "trip count"));
  MO_TRY(expect_one_number(ctx, 1, "condition"));
  std::optional<bool> enter;
  if (const auto condition = ctx.integer(1)) enter = *condition != 0;
  return infer_iteration(ctx,
                         {body.graph(), input_map, output_map, back_edges, Iteration::Limits{trip_count(ctx), enter}});
}

Expected<void> Loop::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const std::vector<std::int64_t> trips, ctx.integers(0));
  MO_ASSIGN(const std::vector<std::int64_t> condition, ctx.integers(1));
  return run_iteration(ctx, {body.graph(), input_map, output_map, back_edges, Iteration::Limits{}}, trips.front(),
                       condition.front() != 0);
}

void register_loop(OpRegistry& registry) { registry.add<Loop>(); }

}  // namespace mo::ops
