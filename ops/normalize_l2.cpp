#include "ops/normalize_l2.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/normalization.hpp"
#include "ops/support/axes.hpp"
#include "ops/support/image_axes.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> NormalizeL2::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  MO_TRY(axes_from_input(ctx, 1, ctx.input_shape(0)));
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> NormalizeL2::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::vector<bool> reduced, marked_axes(ctx, 1, data.rank()));
  return reference::l2_norm(data, ctx.output(0), reduced, eps, eps_mode == NormalizeL2EpsMode::max);
}

LayoutNeed NormalizeL2::layout_need(const InferContext& ctx) const {
  return need_of_image_axes(ctx, ctx.integers(1), /*channels=*/true);
}

void register_normalize_l2(OpRegistry& registry) { registry.add<NormalizeL2>(); }

}  // namespace mo::ops
