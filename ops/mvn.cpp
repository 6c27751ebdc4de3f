#include "ops/mvn.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/normalization.hpp"
#include "ops/support/axes.hpp"
#include "ops/support/image_axes.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> v0::MVN::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  if (const auto rank = ctx.input(0).rank(); rank && !reduction_axes.empty())
    MO_TRY(normalize_axes(ctx, reduction_axes, *rank));
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> v0::MVN::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  std::vector<bool> reduced = mark_axes(reduction_axes, data.rank());
  if (reduction_axes.empty())
    for (std::size_t i = across_channels ? 1 : 2; i < reduced.size(); ++i) reduced[i] = true;
  return reference::mean_variance(data, ctx.output(0), reduced, normalize_variance, eps, true);
}

Expected<void> v6::MVN::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real number"));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(axes_from_input(ctx, 1, ctx.input_shape(0)));
  ctx.output(0, ctx.input(0));
  return {};
}

Expected<void> v6::MVN::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  MO_ASSIGN(const std::vector<bool> reduced, marked_axes(ctx, 1, data.rank()));
  return reference::mean_variance(data, ctx.output(0), reduced, normalize_variance, eps,
                                  eps_mode == MVNEpsMode::inside_sqrt);
}

LayoutNeed v0::MVN::layout_need(const InferContext&) const {
  // Without a list, channels are dimension 1 of the model's own layout.
  return reduction_axes.empty() && !across_channels ? LayoutNeed::original : LayoutNeed::either;
}
LayoutNeed v6::MVN::layout_need(const InferContext& ctx) const { return need_of_image_axes(ctx, ctx.integers(1)); }

void register_mvn(OpRegistry& registry) {
  registry.add<v0::MVN>();
  registry.add<v6::MVN>();
}

}  // namespace mo::ops
