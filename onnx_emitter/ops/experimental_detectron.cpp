#include "ops/experimental_detectron.hpp"

#include <algorithm>

#include "onnx_emitter/support/box_deltas.hpp"
#include "onnx_emitter/support/sizes.hpp"

namespace mo::onnx_emitter {
namespace {

/// Which level of the pyramid a region is looked up in: one of 224 x 224 pixels in the third, and one more for each
/// doubling; -1 for a region without an area. [regions], f32.
Value pyramid_level(Translation& t, const Value& regions, std::size_t levels) {
  const Outputs corner = detection::parts(t, regions, 1, {2, 2});
  const Outputs side = detection::parts(t, t.op("Sub", {corner[1], corner[0]}), 1, {1, 1});
  const Value area = t.with_axes("Squeeze", t.op("Mul", {side[0], side[1]}), {1});
  const Value zero = detection::real(t, 0);
  const Value size = t.op("Div", {t.op("Sqrt", {t.op("Max", {area, zero})}), detection::real(t, 224)});
  const Value exponent =
      t.op("Div", {t.op("Log", {t.op("Add", {size, detection::real(t, 1e-6)})}), detection::real(t, std::log(2.0))});
  const Value level = t.op("Floor", {t.op("Add", {exponent, detection::real(t, 2)})});
  const Value last = detection::real(t, static_cast<double>(levels - 1));
  return t.op("Where", {t.op("Greater", {area, zero}), t.op("Clip", {level, zero, last}), detection::real(t, -1)});
}

/// The regions of each level are pooled together, and go back to their places.
Expected<Outputs> pyramid_features(Translation& t) {
  const auto& op = *t.node.as<ops::ExperimentalDetectronROIFeatureExtractor>();
  if (op.aligned && t.opset < 16) return t.needs_opset(16);
  const std::size_t levels = t.node.in_port_count() - 1;
  if (op.pyramid_scales.size() < levels) return t.refused("a level without a scale");
  const Value regions = detection::in_f32(t, 0);
  const Value level_of = pyramid_level(t, regions, levels);
  std::vector<Value> places;
  std::vector<Value> features;
  for (std::size_t level = 0; level < levels; ++level) {
    const Value is_here = t.op("Equal", {level_of, detection::real(t, static_cast<double>(level))});
    const Value here = t.op("NonZero", {is_here});  // [1, count]
    const Value numbers = t.with_axes("Squeeze", here, {0});
    AttributeMap attributes{{"mode", "avg"},
                            {"output_height", op.output_size},
                            {"output_width", op.output_size},
                            {"sampling_ratio", op.sampling_ratio},
                            {"spatial_scale", 1.0 / static_cast<double>(op.pyramid_scales[level])}};
    if (t.opset >= 16)
      attributes.set("coordinate_transformation_mode", op.aligned ? "half_pixel" : "output_half_pixel");
    const Value own = t.op("Gather", {regions, numbers}, {{"axis", 0}});
    const Value image = t.op("Mul", {numbers, sizes::scalar(t, 0)});
    features.push_back(t.op("RoiAlign", {detection::in_f32(t, level + 1), own, image}, std::move(attributes)));
    places.push_back(t.transposed(here, {1, 0}));
  }
  const Value count = sizes::part(t, t.op("Shape", {regions}), 0, 0, 1);
  const Value channels = sizes::part(t, t.op("Shape", {t.input(1)}), 0, 1, 2);
  const Value shape = detection::joined(t, {count, channels, t.integers({op.output_size, op.output_size})}, 0);
  const Value zeros = sizes::filled(t, shape, ElementType::f32, 0);
  const Value pooled = t.op("ScatterND", {zeros, detection::joined(t, places, 0), detection::joined(t, features, 0)});
  return Outputs{detection::as_output(t, pooled), t.op("Identity", {t.input(0)})};
}

/// Suppression by class without the background, which is class 0; then the best of all classes. Each class is an image
/// of one class for the operator.
Expected<Outputs> detectron_detections(Translation& t) {
  const auto& op = *t.node.as<ops::ExperimentalDetectronDetectionOutput>();
  if (op.deltas_weights.size() != 4) return t.refused("weights of deltas other than four");
  if (!(op.nms_threshold >= 0 && op.nms_threshold <= 1)) return t.refused("an nms_threshold outside of [0, 1]");
  detection::DeltaSettings settings{.extent = 1, .weights = {}, .most_growth = op.max_delta_log_wh};
  std::copy(op.deltas_weights.begin(), op.deltas_weights.end(), settings.weights.begin());
  const Value sizes_of_image = detection::reshaped(t, detection::in_f32(t, 3), {-1});
  const Value image = t.op("Gather", {sizes_of_image, t.integers({1, 0})}, {{"axis", 0}});
  const Value by_class =
      t.transposed(detection::reshaped(t, detection::in_f32(t, 1), {-1, op.num_classes, 4}), {1, 0, 2});
  const Value deltas = detection::sliced(t, by_class, 0, 1, op.num_classes);
  const Outputs corner = detection::parts(t, detection::in_f32(t, 0), 1, {2, 2});
  const detection::CornerPair boxes = detection::moved_boxes(t, {corner[0], corner[1]}, deltas, image, settings, 3);
  const Value class_scores = t.transposed(detection::in_f32(t, 2), {1, 0});
  const Value scores = t.with_axes("Unsqueeze", detection::sliced(t, class_scores, 0, 1, op.num_classes), {1});
  const Value selected =
      detection::suppressed(t, detection::boxes_to_suppress(t, boxes, 1, 3), scores, op.post_nms_count,
                            op.nms_threshold, detection::real(t, op.score_threshold));
  // Rows of zeros with the least score follow what was selected.
  const std::int64_t most = op.max_detections_per_image;
  const Value place = detection::columns(t, selected, {0, 2});
  const Value found = t.op("GatherND", {scores, selected});
  const Value least = detection::least_real(t);
  const Value all = detection::joined(t, {found, t.op("Expand", {least, t.integers({most})})}, 0);
  const Outputs best = t.ops("TopK", {all, t.integers({most})}, 2, {{"axis", 0}});
  const auto kept = [&](const Value& rows, const std::vector<std::int64_t>& zeros, ElementType type) {
    const Value more = t.op("Expand", {t.scalar(type, 0), t.integers(zeros)});
    return t.op("Gather", {detection::joined(t, {rows, more}, 0), best[1]}, {{"axis", 0}});
  };
  const Value corners = t.op("GatherND", {detection::joined(t, {boxes.low, boxes.high}, 2), place});
  const Value label =
      t.op("Add", {detection::reshaped(t, detection::columns(t, selected, {0}), {-1}), sizes::scalar(t, 1)});
  const Value is_found = t.op("Greater", {best[0], least});
  return Outputs{detection::as_output(t, kept(corners, {most, 4}, ElementType::f32), 0),
                 t.cast(kept(label, {most}, ElementType::i64), ElementType::i32),
                 detection::as_output(t, t.op("Where", {is_found, best[0], detection::real(t, 0)}), 2)};
}

/// Priors around the middle of each place of the feature map.
Expected<Outputs> prior_grid(Translation& t) {
  const auto& op = *t.node.as<ops::ExperimentalDetectronPriorGridGenerator>();
  const auto size = [&](std::size_t input, std::int64_t axis) {
    return sizes::part(t, t.op("Shape", {t.input(input)}), 0, axis, axis + 1);
  };
  const auto middles = [&](std::int64_t given, double stride, std::int64_t axis) {
    const Value count = given > 0 ? t.integers({given}) : size(1, axis);
    Value step = detection::reals(t, {1}, {stride});
    if (stride == 0) {
      const Value image = t.cast(size(2, axis), ElementType::f32);
      step = t.op("Div", {image, t.cast(count, ElementType::f32)});
    }
    const Value numbers = t.cast(sizes::counted(t, t.op("Reshape", {count, t.integers({})})), ElementType::f32);
    return t.op("Mul", {t.op("Add", {numbers, detection::real(t, 0.5)}), step});
  };
  const Value x = t.with_axes("Unsqueeze", middles(op.w, op.stride_x, 3), {0, 2, 3});  // [1, W, 1, 1]
  const Value y = t.with_axes("Unsqueeze", middles(op.h, op.stride_y, 2), {1, 2, 3});  // [H, 1, 1, 1]
  const auto at_corner = [&](const Value& place, double is_x) {
    return t.op("Mul", {place, detection::reals(t, {4}, {is_x, 1 - is_x, is_x, 1 - is_x})});
  };
  const Value places = t.op("Add", {at_corner(x, 1), at_corner(y, 0)});  // [H, W, 1, 4]
  const Value grid = t.op("Add", {places, detection::in_f32(t, 0)});
  return Outputs{detection::as_output(t, op.flatten ? detection::reshaped(t, grid, {-1, 4}) : grid)};
}

/// The regions with the highest probabilities, and rows of zeros where there are fewer.
Expected<Outputs> best_regions(Translation& t) {
  const std::int64_t most = t.node.as<ops::ExperimentalDetectronTopKROIs>()->max_rois;
  const Value chances = detection::in_f32(t, 1);
  const Outputs sorted = t.ops("TopK", {chances, t.op("Shape", {chances})}, 2, {{"axis", 0}});
  const Value regions = t.op("Gather", {detection::in_f32(t, 0), sorted[1]}, {{"axis", 0}});
  return Outputs{detection::as_output(t, detection::rows_up_to(t, regions, most, {4}, ElementType::f32))};
}

}  // namespace

void register_experimental_detectron(OnnxForms& table) {
  table.add<ops::ExperimentalDetectronROIFeatureExtractor>(pyramid_features);
  table.add<ops::ExperimentalDetectronDetectionOutput>(detectron_detections);
  table.add<ops::ExperimentalDetectronPriorGridGenerator>(prior_grid);
  table.add<ops::ExperimentalDetectronTopKROIs>(best_regions);
}

}  // namespace mo::onnx_emitter
