#include <limits>

#include "onnx_emitter/support/region_sampling.hpp"
#include "ops/roi_align.hpp"
#include "ops/roi_pooling.hpp"

namespace mo::onnx_emitter {
namespace {

/// `half_pixel_for_nn` subtracts half a pixel from the scaled boxes, as ONNX does in its mode half_pixel; `half_pixel`
/// also adds it to the boxes before they are scaled. Up to op set 15 the operator subtracts nothing.
Expected<Outputs> roi_align(Translation& t, const ops::v3::ROIAlign& op, ops::RoiAlignedMode aligned) {
  // ONNX takes the largest weighted corner of samples. The largest sample, and at least 0: each is a bin of its own,
  // which MaxPool joins.
  const bool is_max = op.mode == ops::RoiAlignMode::max;
  if (is_max && op.sampling_ratio < 1) return t.refused("the largest of samples whose number depends on the region");
  const std::int64_t samples = is_max ? op.sampling_ratio : 1;
  AttributeMap attributes{{"mode", "avg"},
                          {"output_height", op.pooled_h * samples},
                          {"output_width", op.pooled_w * samples},
                          {"sampling_ratio", is_max ? 1 : op.sampling_ratio},
                          {"spatial_scale", op.spatial_scale}};
  const bool is_shifted = aligned != ops::RoiAlignedMode::asymmetric;
  if (is_shifted && t.opset < 16) return t.needs_opset(16);
  if (t.opset >= 16) attributes.set("coordinate_transformation_mode", is_shifted ? "half_pixel" : "output_half_pixel");
  Value boxes = detection::in_f32(t, 1);
  if (aligned == ops::RoiAlignedMode::half_pixel) boxes = t.op("Add", {boxes, detection::real(t, 0.5)});
  Value pooled = t.op("RoiAlign", {detection::in_f32(t, 0), boxes, t.input_i64(2)}, std::move(attributes));
  const std::vector<std::int64_t> window{samples, samples};
  if (samples > 1) pooled = t.op("MaxPool", {pooled}, {{"kernel_shape", window}, {"strides", window}});
  if (is_max) pooled = t.op("Relu", {pooled});
  return Outputs{detection::as_output(t, pooled)};
}

Expected<Outputs> roi_align3(Translation& t) {
  return roi_align(t, *t.node.as<ops::v3::ROIAlign>(), ops::RoiAlignedMode::asymmetric);
}

Expected<Outputs> roi_align9(Translation& t) {
  const auto& op = *t.node.as<ops::v9::ROIAlign>();
  return roi_align(t, op, op.aligned_mode);
}

/// Places of the samples of all bins along a dimension, from the first to the last element that a region, whose ends
/// are from 0 to 1, has: [1, R, bins]. One sample is in the middle.
Value sampled_places(Translation& t, const Value& regions, std::int64_t low, std::int64_t axis, std::int64_t bins) {
  const Value last = t.op("Sub", {regions::size_of_data(t, axis), detection::real(t, 1)});
  const Value start = t.op("Mul", {regions::column(t, regions, low), last});
  const Value end = t.op("Mul", {regions::column(t, regions, low + 2), last});
  Value places;  // [R, bins]
  if (bins == 1) {
    places = t.op("Mul", {t.op("Add", {start, end}), detection::real(t, 0.5)});
  } else {
    const Value step = t.op("Div", {t.op("Sub", {end, start}), detection::real(t, static_cast<double>(bins - 1))});
    const Value first = t.op("Add", {start, t.op("Mul", {regions::counted(t, bins - 1), step})});
    places = detection::joined(t, {first, end}, 1);
  }
  return t.with_axes("Unsqueeze", places, {0});
}

/// One sample for each bin.
Expected<Outputs> roi_bilinear_pooling(Translation& t, const std::vector<std::int64_t>& bins) {
  const Value regions = detection::in_f32(t, 1);
  const auto weights = [&](std::int64_t low, std::int64_t axis, std::int64_t count) {
    const Value places = sampled_places(t, regions, low, axis, count);
    const Value last = t.op("Sub", {regions::size_of_data(t, axis), detection::real(t, 1)});
    const Value is_outside =
        t.op("Or", {t.op("Less", {places, detection::real(t, 0)}), t.op("Greater", {places, last})});
    return regions::linear_weights(t, axis, places, t.op("Not", {is_outside}));
  };
  const Value images = t.with_axes("Unsqueeze", t.transposed(detection::in_f32(t, 0), {0, 2, 1, 3}), {0, 1});
  const Value rows = regions::of_images(t, weights(2, 2, bins[0]), regions);
  const Value pooled = regions::weighted_sums(t, images, rows, weights(1, 3, bins[1]));
  const Value by_region = t.transposed(t.with_axes("Squeeze", pooled, {0, 1}), {0, 2, 1, 3});
  return Outputs{detection::as_output(t, by_region)};
}

/// Rows after the last proposal begin with -1, which names no image: the operator gets 0.
Expected<Outputs> roi_pooling(Translation& t) {
  const auto& op = *t.node.as<ops::ROIPooling>();
  const bool is_sized = op.pooled_h == 0 && op.pooled_w == 0 && op.output_size.size() == 2;
  const std::vector<std::int64_t> bins =
      is_sized ? op.output_size : std::vector<std::int64_t>{op.pooled_h, op.pooled_w};
  if (op.method != "max") return roi_bilinear_pooling(t, bins);
  const auto least = static_cast<double>(std::numeric_limits<float>::lowest());
  const Value limits = detection::reals(t, {5}, {0, least, least, least, least});
  const Value regions = t.op("Max", {detection::in_f32(t, 1), limits});
  const Value pooled = t.op("MaxRoiPool", {detection::in_f32(t, 0), regions},
                            {{"pooled_shape", bins}, {"spatial_scale", op.spatial_scale}});
  return Outputs{detection::as_output(t, pooled)};
}

}  // namespace

void register_roi(OnnxForms& table) {
  table.add<ops::v3::ROIAlign>(roi_align3);
  table.add<ops::v9::ROIAlign>(roi_align9);
  table.add<ops::ROIPooling>(roi_pooling);
}

}  // namespace mo::onnx_emitter
