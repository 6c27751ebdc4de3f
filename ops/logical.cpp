#include "ops/logical.hpp"

#include "core/op/define_op.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> detail::infer_logical(InferContext& ctx, const BroadcastRule& rule) {
  MO_ASSIGN(TensorType type, infer_pair(ctx, rule, kBoolean));
  ctx.output(0, ElementType::boolean, std::move(type.shape));
  return {};
}

Expected<void> detail::evaluate_logical(EvalContext& ctx, LogicalKind kind, const BroadcastRule& rule) {
  const Tensor& a = ctx.input(0);
  reference::logical_binary(kind, a, aligned(rule, a.rank(), ctx.input(1)), ctx.output(0));
  return {};
}

Expected<void> LogicalNot::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, kBoolean.accepts, kBoolean.description));
  ctx.output(0, ElementType::boolean, ctx.input_shape(0));
  return {};
}
Expected<void> LogicalNot::evaluate(EvalContext& ctx) const {
  reference::logical_not(ctx.input(0), ctx.output(0));
  return {};
}

void register_logical(OpRegistry& registry) {
  registry.add<LogicalAnd>();
  registry.add<LogicalOr>();
  registry.add<LogicalXor>();
  registry.add<Xor>();
  registry.add<LogicalNot>();
}

}  // namespace mo::ops
