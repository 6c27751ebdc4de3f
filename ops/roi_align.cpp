#include "ops/roi_align.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/roi_align.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

constexpr std::int64_t kMostRoiBins = 1 << 16;

/// What the numbers of a region are, for messages.
constexpr std::string_view kCorners = "x1, y1, x2, y2";
constexpr std::string_view kRotatedRegion = "center x, center y, width, height, angle";

Expected<void> infer_roi_align(InferContext& ctx, std::int64_t pooled_h, std::int64_t pooled_w,
                               std::int64_t sampling_ratio, std::int64_t region_size = 4,
                               std::string_view region = kCorners) {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(ctx.expect_rank(0, 4, 4));
  MO_TRY(ctx.expect_rank(1, 2, 2));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_TRY(expect_element_type(ctx, 2, is_integral, "an integer type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  if (pooled_h < 1 || pooled_w < 1 || pooled_h > kMostRoiBins || pooled_w > kMostRoiBins || sampling_ratio < 0)
    return ctx.error("MO-OPS-0450", "pooled_h {}, pooled_w {}, sampling_ratio {}", pooled_h, pooled_w, sampling_ratio)
        .hint("a region has 1 to {} bins in each direction, and sampling_ratio is at least 0", kMostRoiBins);
  Dimension count;
  const PartialShape& rois = ctx.input_shape(1);
  const PartialShape& batches = ctx.input_shape(2);
  if (rois.has_rank()) {
    if (!rois[1].compatible(region_size))
      return ctx.error("MO-OPS-0453", "regions have shape {}", rois.to_string()).hint("a region is {}", region);
    count = rois[0];
  }
  if (batches.has_rank()) {
    const auto merged = count.merge(batches[0]);
    if (!merged)
      return ctx
          .error("MO-OPS-0453", "there are {} regions and {} batch indices", count.to_string(), batches[0].to_string())
          .hint("give one batch index per region");
    count = *merged;
  }
  const PartialShape& data = ctx.input_shape(0);
  ctx.output(0, type, {count, data.has_rank() ? data[1] : Dimension(), pooled_h, pooled_w});
  return {};
}

Expected<void> evaluate_roi_align(EvalContext& ctx, const reference::RoiAlignParameters& parameters) {
  const Shape& shape = ctx.input(0).shape();
  MO_ASSIGN(const std::vector<std::int64_t> batches, ctx.integers(2));
  for (const std::int64_t batch : batches)
    if (batch < 0 || batch >= shape[0])
      return ctx.error("MO-OPS-0451", "batch index {} is outside [0, {})", batch, shape[0])
          .hint("check the batch indices of the regions");
  if (!batches.empty() && (shape[2] == 0 || shape[3] == 0))
    return ctx.error("MO-OPS-0453", "feature maps of shape {} have nothing to pool", to_string(shape))
        .hint("check --input_shape");
  MO_ASSIGN(const Tensor data, convert(ctx.input(0), ElementType::f32));
  MO_ASSIGN(const Tensor rois, convert(ctx.input(1), ElementType::f32));
  MO_ASSIGN(Tensor pooled, Tensor::allocate(ElementType::f32, ctx.output(0).shape()));
  MO_TRY(reference::roi_align(data, rois, batches, pooled, parameters));
  MO_ASSIGN(pooled, convert(pooled, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(pooled));
  return {};
}

}  // namespace

Expected<void> v3::ROIAlign::infer(InferContext& ctx) const {
  return infer_roi_align(ctx, pooled_h, pooled_w, sampling_ratio);
}
Expected<void> v3::ROIAlign::evaluate(EvalContext& ctx) const {
  return evaluate_roi_align(
      ctx, {.sampling_ratio = sampling_ratio, .spatial_scale = spatial_scale, .largest = mode == RoiAlignMode::max});
}

Expected<void> v9::ROIAlign::infer(InferContext& ctx) const {
  return infer_roi_align(ctx, pooled_h, pooled_w, sampling_ratio);
}
Expected<void> v9::ROIAlign::evaluate(EvalContext& ctx) const {
  const bool aligned = aligned_mode != RoiAlignedMode::asymmetric;
  return evaluate_roi_align(ctx, {.sampling_ratio = sampling_ratio,
                                  .spatial_scale = spatial_scale,
                                  .largest = mode == RoiAlignMode::max,
                                  .aligned = aligned,
                                  .source_offset = aligned_mode == RoiAlignedMode::half_pixel ? 0.5 : 0,
                                  .target_offset = aligned ? -0.5 : 0});
}

Expected<void> ROIAlignRotated::infer(InferContext& ctx) const {
  return infer_roi_align(ctx, pooled_h, pooled_w, sampling_ratio, 5, kRotatedRegion);
}
Expected<void> ROIAlignRotated::evaluate(EvalContext& ctx) const {
  return evaluate_roi_align(
      ctx, {.sampling_ratio = sampling_ratio,
            .spatial_scale = spatial_scale,
            .aligned = true,
            .target_offset = -0.5,
            .rotation = clockwise_mode ? reference::Rotation::clockwise : reference::Rotation::counter_clockwise});
}

void register_roi_align(OpRegistry& registry) {
  registry.add<v3::ROIAlign>();
  registry.add<v9::ROIAlign>();
  registry.add<ROIAlignRotated>();
}

}  // namespace mo::ops
