#include "ops/prior_box.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/prior_box.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

std::vector<float> floats_of(const std::vector<double>& values) { return {values.begin(), values.end()}; }

template <class PriorBox>
reference::PriorBoxParameters prior_box_parameters(const PriorBox& op) {
  reference::PriorBoxParameters p;
  p.min_size = floats_of(op.min_size);
  p.max_size = floats_of(op.max_size);
  p.aspect_ratio = floats_of(op.aspect_ratio);
  p.density = floats_of(op.density);
  p.fixed_ratio = floats_of(op.fixed_ratio);
  p.fixed_size = floats_of(op.fixed_size);
  p.clip = op.clip;
  p.flip = op.flip;
  p.step = static_cast<float>(op.step);
  p.offset = static_cast<float>(op.offset);
  p.variance = floats_of(op.variance);
  p.scale_all_sizes = op.scale_all_sizes;
  if constexpr (requires { op.min_max_aspect_ratios_order; }) p.ratios_last = op.min_max_aspect_ratios_order;
  return p;
}

Expected<void> infer_priors(InferContext& ctx, std::int64_t boxes_per_place, std::size_t variances) {
  MO_TRY(ctx.expect_inputs(2));
  if (variances != 0 && variances != 1 && variances != 4)
    return ctx.error("MO-OPS-0444", "{} variances are given", variances).hint("give none, one, or four variances");
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    MO_TRY(expect_element_type(ctx, i, is_integral, "an integer type"));
    MO_TRY(ctx.expect_rank(i, 1, 1));
    if (ctx.input_shape(i).has_rank() && !ctx.input_shape(i)[0].compatible(2))
      return ctx.error("MO-OPS-0445", "input {} has {} elements", i, ctx.input_shape(i)[0].to_string())
          .hint("it is [height, width], not the feature map itself");
  }
  Dimension places;
  if (const auto size = ctx.partial(0); size && size->elements.size() == 2) {
    for (const Dimension& d : size->elements)
      if (d.min() < 0)
        return ctx.error("MO-OPS-0005", "the feature map has a size of {}", d.to_string()).hint("check --input_shape");
    places = size->elements[0] * size->elements[1];
  }
  ctx.output(0, ElementType::f32, {2, places * Dimension(4 * boxes_per_place)});
  return {};
}

/// Height and width of the feature map and of the image.
Expected<std::array<std::int64_t, 4>> sizes_to_evaluate(const EvalContext& ctx) {
  MO_ASSIGN(const std::vector<std::int64_t> map, ctx.integers(0));
  MO_ASSIGN(const std::vector<std::int64_t> image, ctx.integers(1));
  if (image[0] < 1 || image[1] < 1)
    return ctx.error("MO-OPS-0445", "the image is {} x {}", image[0], image[1]).hint("check --input_shape");
  return std::array{map[0], map[1], image[0], image[1]};
}

template <class PriorBox>
Expected<void> infer_prior_box(const PriorBox& op, InferContext& ctx) {
  const auto count = reference::prior_box_count(prior_box_parameters(op));
  if (!count)
    return ctx.error("MO-OPS-0443", "sizes, densities and aspect ratios do not fit each other")
        .hint("give one density of 1 to 1024 for each fixed size, and ratios above 0");
  return infer_priors(ctx, *count, op.variance.size());
}

template <class PriorBox>
Expected<void> evaluate_prior_box(const PriorBox& op, EvalContext& ctx) {
  MO_ASSIGN(const auto sizes, sizes_to_evaluate(ctx));
  if (!reference::prior_box(sizes[0], sizes[1], sizes[2], sizes[3], ctx.output(0), prior_box_parameters(op)))
    return ctx.error("MO-OPS-0446", "the aspect ratios do not give the number of boxes that the shape has")
        .hint("drop aspect ratios that almost equal each other");
  return {};
}

}  // namespace

Expected<void> v0::PriorBox::infer(InferContext& ctx) const { return infer_prior_box(*this, ctx); }
Expected<void> v0::PriorBox::evaluate(EvalContext& ctx) const { return evaluate_prior_box(*this, ctx); }

Expected<void> v8::PriorBox::infer(InferContext& ctx) const { return infer_prior_box(*this, ctx); }
Expected<void> v8::PriorBox::evaluate(EvalContext& ctx) const { return evaluate_prior_box(*this, ctx); }

Expected<void> PriorBoxClustered::infer(InferContext& ctx) const {
  if (width.size() != height.size())
    return ctx.error("MO-OPS-0443", "{} widths and {} heights are given", width.size(), height.size())
        .hint("each box has a width and a height");
  return infer_priors(ctx, static_cast<std::int64_t>(width.size()), variance.size());
}

Expected<void> PriorBoxClustered::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const auto sizes, sizes_to_evaluate(ctx));
  reference::PriorBoxClusteredParameters p;
  p.width = floats_of(width);
  p.height = floats_of(height);
  p.clip = clip;
  p.step_w = static_cast<float>(step_w == 0 ? step : step_w);
  p.step_h = static_cast<float>(step_h == 0 ? step : step_h);
  p.offset = static_cast<float>(offset);
  p.variance = floats_of(variance);
  reference::prior_box_clustered(sizes[0], sizes[1], sizes[2], sizes[3], ctx.output(0), p);
  return {};
}

void register_prior_box(OpRegistry& registry) {
  registry.add<v0::PriorBox>();
  registry.add<v8::PriorBox>();
  registry.add<PriorBoxClustered>();
}

}  // namespace mo::ops
