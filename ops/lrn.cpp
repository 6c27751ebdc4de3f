#include "ops/lrn.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/normalization.hpp"
#include "ops/support/axes.hpp"
#include "ops/support/image_axes.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> LRN::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(axes_from_input(ctx, 1, ctx.input_shape(0)));
  if (size < 1)
    return ctx.error("MO-OPS-0342", "size {} is not positive", size).hint("correct the attribute in the model");
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> LRN::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::vector<bool> local, marked_axes(ctx, 1, data.rank()));
  return reference::local_response_norm(data, ctx.output(0), local, {alpha, beta, bias, size});
}

LayoutNeed LRN::layout_need(const InferContext& ctx) const {
  return need_of_image_axes(ctx, ctx.integers(1), /*channels=*/true);
}

void register_lrn(OpRegistry& registry) { registry.add<LRN>(); }

}  // namespace mo::ops
