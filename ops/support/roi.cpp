#include "ops/support/roi.hpp"

#include <cmath>

#include "core/tensor/convert.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {

Expected<void> infer_roi_pooling(InferContext& ctx, std::optional<std::int64_t> channels, std::int64_t bins_y,
                                 std::int64_t bins_x) {
  constexpr std::int64_t kMostBins = 1 << 16;
  MO_TRY(ctx.expect_rank(0, 4, 4));
  MO_TRY(ctx.expect_rank(1, 2, 2));
  MO_ASSIGN(const ElementType type, element_type_of_data(ctx, {1}));
  if (bins_y < 1 || bins_x < 1 || bins_y > kMostBins || bins_x > kMostBins || (channels && *channels < 1))
    return ctx
        .error("MO-OPS-0450", "{} x {} bins of {} channels are not possible", bins_y, bins_x, channels.value_or(1))
        .hint("each is at least 1; check the attributes");
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& rois = ctx.input_shape(1);
  if (rois.has_rank() && !rois[1].compatible(5))
    return ctx.error("MO-OPS-0453", "regions have shape {}", rois.to_string())
        .hint("a region is batch, x1, y1, x2, y2");
  const Dimension depth = channels ? Dimension(*channels) : data.has_rank() ? data[1] : Dimension();
  ctx.output(0, type, {rois.has_rank() ? rois[0] : Dimension(), depth, bins_y, bins_x});
  return {};
}

Expected<RoiTensors> roi_tensors(EvalContext& ctx) {
  const Shape& shape = ctx.input(0).shape();
  RoiTensors tensors;
  MO_ASSIGN(tensors.data, convert(ctx.input(0), ElementType::f32));
  MO_ASSIGN(tensors.rois, convert(ctx.input(1), ElementType::f32));
  MO_ASSIGN(tensors.out, Tensor::allocate(ElementType::f32, ctx.output(0).shape()));
  const auto values = tensors.rois.values<float>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      return ctx.error("MO-OPS-0452", "region {} has a coordinate of {}", i / 5, values[i]).hint("check the boxes");
    if (i % 5 == 0 && (values[i] < 0 || values[i] >= static_cast<float>(shape[0])))
      return ctx.error("MO-OPS-0451", "batch index {} is outside [0, {})", values[i], shape[0])
          .hint("check the batch indices of the regions");
  }
  if (!values.empty() && (shape[2] == 0 || shape[3] == 0))
    return ctx.error("MO-OPS-0453", "feature maps of shape {} have nothing to pool", to_string(shape))
        .hint("check --input_shape");
  return tensors;
}

Expected<void> set_roi_output(EvalContext& ctx, const Tensor& out) {
  MO_ASSIGN(Tensor typed, convert(out, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(typed));
  return {};
}

}  // namespace mo::ops
