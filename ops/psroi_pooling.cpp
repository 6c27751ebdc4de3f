#include "ops/psroi_pooling.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/roi_pooling.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/roi.hpp"

namespace mo::ops {

Expected<void> PSROIPooling::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  if (mode != "average" && mode != "bilinear")
    return ctx.error("MO-OPS-0455", "the mode is {}", mode).hint("the mode is average or bilinear");
  constexpr std::int64_t kMostBins = 1 << 16;
  if (spatial_bins_x < 1 || spatial_bins_y < 1 || spatial_bins_x > kMostBins || spatial_bins_y > kMostBins ||
      output_dim > (std::int64_t{1} << 24))
    return ctx
        .error("MO-OPS-0450", "{} x {} spatial bins of {} channels are not possible", spatial_bins_x, spatial_bins_y,
               output_dim)
        .hint("each is at least 1; check the attributes");
  MO_TRY(infer_roi_pooling(ctx, output_dim, group_size, group_size));
  const std::int64_t parts = mode == "average" ? group_size * group_size : spatial_bins_x * spatial_bins_y;
  const PartialShape& data = ctx.input_shape(0);
  if (data.has_rank() && data[1].is_known() && data[1] != Dimension(output_dim) * Dimension(parts))
    return ctx.error("MO-OPS-0454", "{} channels are not {} for each of {} bins", data[1].value(), output_dim, parts)
        .hint("check output_dim, group_size and the spatial bins");
  return {};
}

Expected<void> PSROIPooling::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(RoiTensors tensors, roi_tensors(ctx));
  const auto scale = static_cast<float>(spatial_scale);
  if (mode == "average")
    reference::position_sensitive_average(tensors.data, tensors.rois, tensors.out, scale);
  else
    reference::position_sensitive_bilinear(tensors.data, tensors.rois, tensors.out, scale, spatial_bins_x,
                                           spatial_bins_y);
  return set_roi_output(ctx, tensors.out);
}

Expected<void> DeformablePSROIPooling::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, 3));
  MO_TRY(ctx.expect_rank(2, 4, 4));
  return infer_roi_pooling(ctx, output_dim, group_size, group_size);
}

void register_psroi_pooling(OpRegistry& registry) {
  registry.add<PSROIPooling>();
  registry.add<DeformablePSROIPooling>();
}

}  // namespace mo::ops
