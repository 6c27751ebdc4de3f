#include "ops/grn.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/normalization.hpp"
#include "ops/support/axes.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> GRN::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  MO_TRY(ctx.expect_rank(0, 2, 4));
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> GRN::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  return reference::l2_norm(data, ctx.output(0), mark_axes({1}, data.rank()), bias, false);
}

void register_grn(OpRegistry& registry) { registry.add<GRN>(); }

}  // namespace mo::ops
