#include <limits>

#include "onnx_emitter/support/detection.hpp"
#include "ops/roi_align.hpp"
#include "ops/roi_pooling.hpp"

namespace mo::onnx_emitter {
namespace {

/// `half_pixel_for_nn` subtracts half a pixel from the scaled boxes, as ONNX does in its mode half_pixel; `half_pixel`
/// also adds it to the boxes before they are scaled. Up to op set 15 the operator subtracts nothing.
Expected<Outputs> roi_align(Translation& t, const ops::v3::ROIAlign& op, ops::RoiAlignedMode aligned) {
  if (op.mode == ops::RoiAlignMode::max)
    return t.refused("the largest sample of a bin (ONNX takes the largest weighted corner of samples)");
  AttributeMap attributes{{"mode", "avg"},
                          {"output_height", op.pooled_h},
                          {"output_width", op.pooled_w},
                          {"sampling_ratio", op.sampling_ratio},
                          {"spatial_scale", op.spatial_scale}};
  const bool is_shifted = aligned != ops::RoiAlignedMode::asymmetric;
  if (is_shifted && t.opset < 16) return t.needs_opset(16);
  if (t.opset >= 16) attributes.set("coordinate_transformation_mode", is_shifted ? "half_pixel" : "output_half_pixel");
  Value boxes = detection::in_f32(t, 1);
  if (aligned == ops::RoiAlignedMode::half_pixel) boxes = t.op("Add", {boxes, detection::real(t, 0.5)});
  const Value pooled = t.op("RoiAlign", {detection::in_f32(t, 0), boxes, t.input_i64(2)}, std::move(attributes));
  return Outputs{detection::as_output(t, pooled)};
}

Expected<Outputs> roi_align3(Translation& t) {
  return roi_align(t, *t.node.as<ops::v3::ROIAlign>(), ops::RoiAlignedMode::asymmetric);
}

Expected<Outputs> roi_align9(Translation& t) {
  const auto& op = *t.node.as<ops::v9::ROIAlign>();
  return roi_align(t, op, op.aligned_mode);
}

/// Rows after the last proposal begin with -1, which names no image: the operator gets 0.
Expected<Outputs> roi_pooling(Translation& t) {
  const auto& op = *t.node.as<ops::ROIPooling>();
  if (op.method != "max") return t.refused("the method bilinear");
  const bool is_sized = op.pooled_h == 0 && op.pooled_w == 0 && op.output_size.size() == 2;
  const std::vector<std::int64_t> bins =
      is_sized ? op.output_size : std::vector<std::int64_t>{op.pooled_h, op.pooled_w};
  const auto least = static_cast<double>(std::numeric_limits<float>::lowest());
  const Value limits = detection::reals(t, {5}, {0, least, least, least, least});
  const Value regions = t.op("Max", {detection::in_f32(t, 1), limits});
  const Value pooled = t.op("MaxRoiPool", {detection::in_f32(t, 0), regions},
                            {{"pooled_shape", bins}, {"spatial_scale", op.spatial_scale}});
  return Outputs{detection::as_output(t, pooled)};
}

}  // namespace

void register_roi(TranslatorTable& table) {
  table.add<ops::v3::ROIAlign>(roi_align3);
  table.add<ops::v9::ROIAlign>(roi_align9);
  table.add<ops::ROIPooling>(roi_pooling);
}

}  // namespace mo::onnx_emitter
