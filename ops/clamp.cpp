#include "ops/clamp.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/clamp.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> Clamp::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, kNumber.accepts, kNumber.description));
  if (!(min <= max))  // also when one is NaN
    return ctx.error("MO-OPS-0104", "min {} is not below max {}", min, max)
        .hint("check the limits of the node in the model");
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> Clamp::evaluate(EvalContext& ctx) const {
  reference::clamp(ctx.input(0), ctx.output(0), min, max);
  return {};
}

void register_clamp(OpRegistry& registry) { registry.add<Clamp>(); }

}  // namespace mo::ops
