#include "ops/cum_sum.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/cum_sum.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {

Expected<void> CumSum::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1, 2));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number type"));
  MO_TRY(expect_indices(ctx, {1}));
  // The definition speaks of a scalar; runtimes read a list of one, and do not compile it.
  if (ctx.has_input(1)) MO_TRY(expect_scalar(ctx, 1));
  const TensorType& data = ctx.input(0);
  if (const auto rank = data.rank()) {
    const auto axis = ctx.has_input(1) ? ctx.integer(1) : std::optional<std::int64_t>(0);
    if (axis) MO_TRY(normalize_axis(ctx, *axis, *rank));
  }
  ctx.output(0, data);
  return {};
}

Expected<void> CumSum::evaluate(EvalContext& ctx) const {
  std::int64_t axis = 0;
  if (ctx.has_input(1)) { MO_ASSIGN(axis, only_integer(ctx, 1)); }
  MO_ASSIGN(axis, checked_axis(ctx, axis, ctx.input(0).rank()));
  reference::cum_sum(ctx.input(0), axis, exclusive, reverse, ctx.output(0));
  return {};
}

void register_cum_sum(OpRegistry& registry) { registry.add<CumSum>(); }

}  // namespace mo::ops
