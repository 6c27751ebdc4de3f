#include "ops/roi_pooling.hpp"

#include "core/op/define_op.hpp"
#include "ops/reference/roi_pooling.hpp"
#include "ops/support/infer.hpp"
#include "ops/support/roi.hpp"

namespace mo::ops {

Expected<void> ROIPooling::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  if (method != "max" && method != "bilinear")
    return ctx.error("MO-OPS-0455", "the method is {}", method).hint("the method is max or bilinear");
  if (!(spatial_scale > 0))
    return ctx.error("MO-OPS-0450", "spatial_scale is {}", spatial_scale)
        .hint("it is the size of the features in that of the image");
  MO_TRY(common_element_type(ctx, {0, 1}));
  const bool sized = pooled_h == 0 && pooled_w == 0 && output_size.size() == 2;
  return infer_roi_pooling(ctx, std::nullopt, sized ? output_size[0] : pooled_h, sized ? output_size[1] : pooled_w);
}

Expected<void> ROIPooling::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(RoiTensors tensors, roi_tensors(ctx));
  if (method == "max")
    reference::roi_max_pooling(tensors.data, tensors.rois, tensors.out, static_cast<float>(spatial_scale));
  else
    reference::roi_bilinear_pooling(tensors.data, tensors.rois, tensors.out);
  return set_roi_output(ctx, tensors.out);
}

void register_roi_pooling(OpRegistry& registry) { registry.add<ROIPooling>(); }

}  // namespace mo::ops
