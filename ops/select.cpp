#include "ops/select.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/select.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> Select::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_element_type(ctx, 0, kBoolean.accepts, kBoolean.description));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {1, 2}));
  const BroadcastRule rule{auto_broadcast, auto_broadcast_axis};
  MO_ASSIGN(PartialShape shape, combine_shapes(ctx, rule, ctx.input_shape(1), ctx.input_shape(2)));
  MO_ASSIGN(shape, combine_shapes(ctx, rule, shape, ctx.input_shape(0)));
  ctx.output(0, type, std::move(shape));
  return {};
}

Expected<void> Select::evaluate(EvalContext& ctx) const {
  const BroadcastRule rule{auto_broadcast, auto_broadcast_axis};
  const std::int64_t rank = ctx.input(1).rank();
  const auto shape = ctx.output_type(0).shape.to_shape();
  MO_ASSERT(shape, "known inputs give a known shape");
  MO_ASSIGN(Tensor out, reference::select(aligned(rule, rank, ctx.input(0)), ctx.input(1),
                                          aligned(rule, rank, ctx.input(2)), *shape));
  ctx.set_output(0, std::move(out));
  return {};
}

void register_select(OpRegistry& registry) { registry.add<Select>(); }

}  // namespace mo::ops
