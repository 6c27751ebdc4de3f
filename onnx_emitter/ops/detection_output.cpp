#include "ops/detection_output.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "onnx_emitter/support/detection.hpp"

/// DetectionOutput as NonMaxSuppression and TopK. A candidate has a score above confidence_threshold, so a score that
/// equals the threshold stands for "no candidate". Scores are [N, priors, classes]: TopK prefers the first of equal
/// scores, which is the order of the op.
namespace mo::onnx_emitter {
namespace {

struct DetectionLayer {
  ops::v8::DetectionOutput op;
  std::int64_t classes = 0;
  std::int64_t locations = 1;          ///< boxes of a prior: one, or one for each class
  std::optional<std::int64_t> priors;  ///< where their number is known
  Value none;                          ///< the score that stands for "no candidate"
};

Expected<DetectionLayer> detection_layer(Translation& t, const ops::v8::DetectionOutput& op,
                                         std::optional<std::int64_t> classes) {
  if (t.input(3) || t.input(4)) return t.refused("second scores and boxes");
  if (op.decrease_label_id) return t.refused("the best class of each prior only (decrease_label_id)");
  if (op.top_k == 0 || op.keep_top_k.front() == 0) return t.refused("a limit of 0 boxes");
  if (!(op.nms_threshold >= 0 && op.nms_threshold <= 1)) return t.refused("an nms_threshold outside of [0, 1]");
  DetectionLayer layer;
  layer.op = op;
  const auto scores = detection::known_size(t, 1, 1);
  if (const auto size = detection::known_size(t, 2, 2)) layer.priors = *size / (op.normalized ? 4 : 5);
  if (!layer.priors && scores && classes) layer.priors = *scores / *classes;
  if (layer.priors == 0) return t.refused("no priors");
  if (!classes && scores && layer.priors) classes = *scores / *layer.priors;
  if (!classes || *classes < 1) return t.refused("the number of its classes is unknown");
  layer.classes = *classes;
  layer.locations = op.share_location ? 1 : layer.classes;
  if ((layer.locations > 1 || !op.normalized) && !layer.priors) return t.refused("the number of its priors is unknown");
  layer.none = detection::real(t, op.confidence_threshold);
  return layer;
}

/// Corners of priors and their variances, [1 or N, 1, priors, 4]; no variances where they are in the boxes already.
struct DetectionPriors {
  Value corners, variances;
};

DetectionPriors detection_priors(Translation& t, const DetectionLayer& layer) {
  const bool has_variances = !layer.op.variance_encoded_in_target;
  const Value given = detection::in_f32(t, 2);
  if (layer.op.normalized) {
    const Value rows = detection::reshaped(t, given, {0, has_variances ? 2 : 1, -1, 4});
    if (!has_variances) return {rows, Value()};
    const Outputs both = detection::parts(t, rows, 1, {1, 1});
    return {both[0], both[1]};
  }
  // Each prior has five numbers, and the first one is not a coordinate. Variances begin the second row, four each.
  const std::int64_t count = *layer.priors;
  const Value numbered = detection::reshaped(t, detection::sliced(t, given, 1, 0, 1), {0, 1, count, 5});
  const auto width = static_cast<double>(std::max<std::int64_t>(layer.op.input_width, 1));
  const auto height = static_cast<double>(std::max<std::int64_t>(layer.op.input_height, 1));
  const Value image = detection::reals(t, {4}, {width, height, width, height});
  DetectionPriors priors{t.op("Div", {detection::sliced(t, numbered, 3, 1, 5), image}), Value()};
  if (has_variances) {
    const Value row = detection::sliced(t, detection::sliced(t, given, 1, 1, 2), 2, 0, 4 * count);
    priors.variances = detection::reshaped(t, row, {0, 1, count, 4});
  }
  return priors;
}

/// x1, y1 and x2, y2 of decoded boxes: [N, locations, priors, 2] each.
struct DecodedBoxes {
  Value low, high;
};

Value clipped_detection(Translation& t, const Value& value) {
  return t.op("Clip", {value, detection::real(t, 0), detection::real(t, 1)});
}

DecodedBoxes decoded_boxes(Translation& t, const DetectionLayer& layer) {
  const DetectionPriors priors = detection_priors(t, layer);
  const Outputs prior = detection::parts(t, priors.corners, 3, {2, 2});
  const Value given = detection::in_f32(t, 0);
  const Value by_location =
      layer.locations == 1
          ? detection::reshaped(t, given, {0, 1, -1, 4})
          : t.transposed(detection::reshaped(t, given, {0, *layer.priors, layer.locations, 4}), {0, 2, 1, 3});
  Outputs code = detection::parts(t, by_location, 3, {2, 2});
  if (priors.variances) {
    const Outputs variance = detection::parts(t, priors.variances, 3, {2, 2});
    for (std::size_t i = 0; i < 2; ++i) code[i] = t.op("Mul", {variance[i], code[i]});
  }
  DecodedBoxes boxes;
  if (layer.op.code_type == "caffe.PriorBoxParameter.CENTER_SIZE") {
    const Value half = detection::real(t, 0.5);
    const Value size = t.op("Sub", {prior[1], prior[0]});
    const Value middle = t.op("Mul", {t.op("Add", {prior[0], prior[1]}), half});
    const Value center = t.op("Add", {t.op("Mul", {code[0], size}), middle});
    const Value reach = t.op("Mul", {t.op("Mul", {t.op("Exp", {code[1]}), size}), half});
    boxes = {t.op("Sub", {center, reach}), t.op("Add", {center, reach})};
  } else {
    boxes = {t.op("Add", {prior[0], code[0]}), t.op("Add", {prior[1], code[1]})};
  }
  if (layer.op.clip_before_nms) boxes = {clipped_detection(t, boxes.low), clipped_detection(t, boxes.high)};
  return boxes;
}

/// The least of `limit` and the size of the last dimension, a vector of one element. `size`: where it is known.
Expected<Value> detection_count(Translation& t, std::int64_t limit, std::optional<std::int64_t> size,
                                const Value& scores) {
  if (size) return t.integers({std::min(limit, *size)});
  if (t.opset < 12) return t.needs_opset(12);  // the least of integers
  const Value last = t.op(
      "Slice", {t.op("Shape", {scores}), t.integers({-1}), t.integers({std::numeric_limits<std::int64_t>::max()})});
  return t.op("Min", {last, t.integers({limit})});
}

/// Scores [N, classes, priors] without those of the background, and those that top_k leaves of each class.
Expected<Value> detection_candidates(Translation& t, const DetectionLayer& layer, const Value& scores) {
  Value found = t.transposed(scores, {0, 2, 1});
  const std::int64_t background = layer.op.background_label_id;
  if (background >= 0 && background < layer.classes) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(layer.classes), 1);
    counts[static_cast<std::size_t>(background)] = 0;
    const Value mask = t.constant(*from_integers(ElementType::boolean, {1, layer.classes, 1}, counts));
    found = t.op("Where", {mask, found, layer.none});
  }
  if (layer.op.top_k < 0 || (layer.priors && *layer.priors <= layer.op.top_k)) return found;
  MO_ASSIGN(const Value count, detection_count(t, layer.op.top_k, layer.priors, found));
  return detection::only_best(t, found, 2, count, layer.none);
}

/// What suppression leaves, [found, 3]: image, prior, class; by image and class, and the best ones first.
Value suppressed_detections(Translation& t, const DetectionLayer& layer, const DecodedBoxes& boxes,
                            const Value& scores) {
  // A box that ends before it begins overlaps nothing; the operator would exchange its corners.
  const Value ordered = detection::joined(t, {boxes.low, t.op("Max", {boxes.low, boxes.high})}, 3);
  const std::int64_t most = layer.priors.value_or(std::numeric_limits<std::int32_t>::max());
  if (layer.locations == 1) {
    const Value selected = detection::suppressed(t, t.with_axes("Squeeze", ordered, {1}), scores, most,
                                                 layer.op.nms_threshold, layer.none);
    return detection::columns(t, selected, {0, 2, 1});
  }
  // Each class of each image is an image of one class.
  const Value selected = detection::suppressed(t, detection::reshaped(t, ordered, {-1, *layer.priors, 4}),
                                               detection::reshaped(t, scores, {-1, 1, *layer.priors}), most,
                                               layer.op.nms_threshold, layer.none);
  const Outputs column = detection::parts(t, selected, 1, {1, 1, 1});
  const Value classes = t.integers({layer.classes});
  return detection::joined(t, {t.op("Div", {column[0], classes}), column[2], t.op("Mod", {column[0], classes})}, 1);
}

/// The best keep_top_k of each image, again by image and class. `scores`: [N, priors, classes].
Expected<Value> kept_detections(Translation& t, const DetectionLayer& layer, const Value& scores, const Value& places) {
  const std::int64_t limit = layer.op.keep_top_k.front();
  if (limit < 0) return places;
  const Value found = t.op("GatherND", {scores, places});
  const Value all = t.op("ScatterND", {detection::filled_like(t, layer.none, scores), places, found});
  const Value flat = detection::reshaped(t, all, {0, -1});
  std::optional<std::int64_t> size;
  if (layer.priors) size = *layer.priors * layer.classes;
  MO_ASSIGN(const Value count, detection_count(t, limit, size, flat));
  const Outputs best = t.ops("TopK", {flat, count}, 2, {{"axis", 1}});
  // A second TopK sorts by class and keeps the order within it. Places without a candidate come last.
  const Value classes = t.integers({layer.classes});
  const Value label = t.op("Where", {t.op("Greater", {best[0], layer.none}), t.op("Mod", {best[1], classes}), classes});
  const Outputs by_class = t.ops("TopK", {label, count}, 2, {{"axis", 1}, {"largest", 0}});
  const Value kept = t.op("GatherElements", {best[1], by_class[1]}, {{"axis", 1}});
  const Value at = t.transposed(t.op("NonZero", {t.op("Less", {by_class[0], classes})}), {1, 0});
  const Value number = t.with_axes("Unsqueeze", t.op("GatherND", {kept, at}), {1});
  return detection::joined(
      t, {detection::sliced(t, at, 1, 0, 1), t.op("Div", {number, classes}), t.op("Mod", {number, classes})}, 1);
}

/// [found, 7]: image, label, score, box.
Value detection_rows(Translation& t, const DetectionLayer& layer, const DecodedBoxes& boxes, const Value& scores,
                     const Value& places) {
  Value all = detection::joined(t, {boxes.low, boxes.high}, 3);
  if (layer.locations == 1) all = t.with_axes("Squeeze", all, {1});
  const std::vector<std::int64_t> order =
      layer.locations == 1 ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{0, 2, 1};
  Value box = t.op("GatherND", {all, detection::columns(t, places, order)});
  if (layer.op.clip_after_nms) box = clipped_detection(t, box);
  const Value numbers = t.cast(detection::columns(t, places, {0, 2}), ElementType::f32);
  const Value score = t.with_axes("Unsqueeze", t.op("GatherND", {scores, places}), {1});
  return detection::joined(t, {numbers, score, box}, 1);
}

/// The number of rows of the result, a vector of one element.
Value detection_row_count(Translation& t, const DetectionLayer& layer) {
  const PartialShape& shape = t.node.output_type().shape;
  if (shape.has_rank() && shape[2].is_known()) return t.integers({shape[2].value()});
  const Value sizes = t.op("Shape", {t.input(1)});
  const std::int64_t keep = layer.op.keep_top_k.front();
  if (keep < 0 && layer.op.top_k < 0) return t.op("ReduceProd", {sizes}, {{"keepdims", 1}});
  const std::int64_t rows = keep > 0 ? keep : layer.op.top_k * layer.classes;
  return t.op("Mul", {detection::sliced(t, sizes, 0, 0, 1), t.integers({rows})});
}

/// As many rows as the result has; the first one without a box begins with -1, and all others are 0.
Value padded_detections(Translation& t, const DetectionLayer& layer, const Value& rows) {
  const Value count = detection_row_count(t, layer);
  const Value end = detection::reals(t, {1, 7}, {-1, 0, 0, 0, 0, 0, 0});
  const Value zeros = t.op("Expand", {detection::real(t, 0), detection::joined(t, {count, t.integers({7})}, 0)});
  const Value more = detection::joined(t, {rows, end, zeros}, 0);
  return t.op("Slice", {more, t.integers({0}), count, t.integers({0})});
}

template <class Op>
Expected<Outputs> detection_output(Translation& t) {
  const auto& op = *t.node.as<Op>();
  std::optional<std::int64_t> classes;
  if constexpr (requires(const Op& with) { with.num_classes; }) classes = op.num_classes;
  MO_ASSIGN(const DetectionLayer layer, detection_layer(t, op, classes));
  const DecodedBoxes boxes = decoded_boxes(t, layer);
  const Value scores = detection::reshaped(t, detection::in_f32(t, 1), {0, -1, layer.classes});
  MO_ASSIGN(const Value candidates, detection_candidates(t, layer, scores));
  MO_ASSIGN(const Value places, kept_detections(t, layer, scores, suppressed_detections(t, layer, boxes, candidates)));
  const Value rows = padded_detections(t, layer, detection_rows(t, layer, boxes, scores, places));
  return Outputs{detection::as_output(t, detection::reshaped(t, rows, {1, 1, -1, 7}))};
}

}  // namespace

void register_detection_output(OnnxForms& table) {
  table.add<ops::v0::DetectionOutput>(detection_output<ops::v0::DetectionOutput>);
  table.add<ops::v8::DetectionOutput>(detection_output<ops::v8::DetectionOutput>);
}

}  // namespace mo::onnx_emitter
