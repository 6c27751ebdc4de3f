#include "ops/assign.hpp"

#include "core/op/define_op.hpp"

namespace mo::ops {
namespace {

Expected<void> infer_assign(InferContext& ctx) {
  MO_TRY(ctx.expect_inputs(1));
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> evaluate_assign(EvalContext& ctx) {
  ctx.set_output(0, ctx.input(0));
  return {};
}

}  // namespace

Expected<void> v3::Assign::infer(InferContext& ctx) const { return infer_assign(ctx); }
Expected<void> v3::Assign::evaluate(EvalContext& ctx) const { return evaluate_assign(ctx); }

Expected<void> v6::Assign::infer(InferContext& ctx) const { return infer_assign(ctx); }
Expected<void> v6::Assign::evaluate(EvalContext& ctx) const { return evaluate_assign(ctx); }

void register_assign(OpRegistry& registry) {
  registry.add<v3::Assign>();
  registry.add<v6::Assign>();
}

}  // namespace mo::ops
