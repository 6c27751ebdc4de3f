#include <cmath>
#include <limits>

#include "onnx_emitter/support/detection.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "ops/matrix_nms.hpp"

/// MulticlassNms and MatrixNms. N images, C classes, M boxes of an image, K candidates of a class.
namespace mo::onnx_emitter {
namespace {

/// What a suppression leaves of each class.
struct ClassCandidates {
  Value scores;  ///< [N, C, K]; the least f32 where there is nothing
  Value boxes;   ///< places of boxes in the image, [N, C, K]
};

Value dimension_of(Translation& t, const Value& value, std::int64_t axis) {
  return t.op("Gather", {t.op("Shape", {value}), sizes::scalar(t, axis)}, {{"axis", 0}});
}

/// The lesser of a limit (-1: none) and a size, a vector.
Value limited_count(Translation& t, std::int64_t limit, const Value& size) {
  const Value vector = t.op("Reshape", {size, t.integers({1})});
  if (limit < 0) return vector;
  return t.op("Where", {t.op("Less", {vector, t.integers({limit})}), vector, t.integers({limit})});
}

/// Scores [N, C, M] without those of the background.
Value foreground_scores(Translation& t, const ops::SuppressionLimits& op) {
  const Value scores = detection::in_f32(t, 1);
  if (op.background_class < 0) return scores;
  const Value classes = sizes::counted(t, dimension_of(t, scores, 1));
  const Value is_background =
      t.with_axes("Unsqueeze", t.op("Equal", {classes, sizes::scalar(t, op.background_class)}), {1});
  return t.op("Where", {is_background, detection::least_real(t), scores});
}

/// A stable order: by the key, the least first.
Value by_key(Translation& t, const Value& rows, const Value& key, int largest) {
  const Outputs sorted = t.ops("TopK", {key, t.op("Shape", {key})}, 2, {{"axis", 0}, {"largest", largest}});
  return t.op("Gather", {rows, sorted[1]}, {{"axis", 0}});
}

/// Rows [found, 3] of image, class and box, by image and then by score: the best keep_top_k of each image.
Value kept_rows(Translation& t, const ops::SuppressionLimits& op, const ClassCandidates& found) {
  const Value scores = detection::reshaped(t, found.scores, {0, -1});
  const Value boxes = detection::reshaped(t, found.boxes, {0, -1});
  const Value count = limited_count(t, op.keep_top_k, dimension_of(t, scores, 1));
  const Outputs best = t.ops("TopK", {scores, count}, 2, {{"axis", 1}});
  const Value is_found = t.op("Greater", {best[0], detection::least_real(t)});
  const Value at = t.transposed(t.op("NonZero", {is_found}), {1, 0});  // image, rank
  const Value label = t.op("Div", {best[1], dimension_of(t, found.scores, 2)});
  const Value box = t.op("GatherElements", {boxes, best[1]}, {{"axis", 1}});
  const auto picked = [&](const Value& all) { return t.with_axes("Unsqueeze", t.op("GatherND", {all, at}), {1}); };
  return detection::joined(t, {detection::columns(t, at, {0}), picked(label), picked(box)}, 1);
}

/// The scores of rows.
Value scores_of_rows(Translation& t, const Value& rows, const Value& all) { return t.op("GatherND", {all, rows}); }

/// Boxes with class and score, places of boxes, and the number of boxes of each image. `scores`: [N, C, M], where rows
/// find theirs. `sorts_in_images`: by class, where the order is that of each image; runtimes do so for MulticlassNms
/// only, and leave the order by score otherwise.
Outputs suppression_outputs(Translation& t, const ops::SuppressionLimits& op, const ClassCandidates& found,
                            const Value& scores, bool sorts_in_images) {
  Value rows = kept_rows(t, op, found);
  const auto column = [&](std::int64_t which) {
    return detection::reshaped(t, detection::columns(t, rows, {which}), {-1});
  };
  if (op.sort_result_type == ops::NmsSortResult::classid && (op.sort_result_across_batch || sorts_in_images)) {
    rows = by_key(t, rows, column(1), 0);
    if (!op.sort_result_across_batch) rows = by_key(t, rows, column(0), 0);
  } else if (op.sort_result_type == ops::NmsSortResult::score && op.sort_result_across_batch) {
    rows = by_key(t, rows, scores_of_rows(t, rows, scores), 1);
  }
  const Value image_and_box = detection::columns(t, rows, {0, 2});
  const Value corners = t.op("GatherND", {detection::in_f32(t, 0), image_and_box});
  const Value label = t.cast(detection::columns(t, rows, {1}), ElementType::f32);
  const Value score = t.with_axes("Unsqueeze", scores_of_rows(t, rows, scores), {1});
  const Value count = dimension_of(t, t.input(0), 1);
  const Value place =
      t.op("Add", {t.op("Mul", {detection::columns(t, rows, {0}), count}), detection::columns(t, rows, {2})});
  const Value images = t.with_axes("Unsqueeze", sizes::counted(t, dimension_of(t, t.input(0), 0)), {1});
  const Value is_of = t.cast(t.op("Equal", {images, column(0)}), ElementType::i64);
  const Value counts = t.with_axes("ReduceSum", is_of, {1}, {{"keepdims", 0}});
  return {detection::as_output(t, detection::joined(t, {label, score, corners}, 1)),
          sizes::as_index_type(t, place, op.output_type), sizes::as_index_type(t, counts, op.output_type)};
}

/// Boxes count their last pixel unless coordinates are normalized.
Value boxes_with_extent(Translation& t, const ops::SuppressionLimits& op) {
  const Value boxes = detection::in_f32(t, 0);
  return op.normalized ? boxes : t.op("Add", {boxes, detection::reals(t, {4}, {0, 0, 1, 1})});
}

template <class Op>
Expected<Outputs> multiclass_suppression(Translation& t) {
  const auto& op = *t.node.as<Op>();
  if (t.input(2)) return t.refused("numbers of boxes for each image");
  if (op.nms_eta != 1) return t.refused("a threshold that adapts (nms_eta)");
  if (!(op.iou_threshold >= 0 && op.iou_threshold <= 1)) return t.refused("an iou_threshold outside of [0, 1]");
  const Value scores = foreground_scores(t, op);
  const Value least = detection::least_real(t);
  const Value count = dimension_of(t, scores, 2);
  const Value candidates =
      op.nms_top_k < 0 ? scores : detection::only_best(t, scores, 2, limited_count(t, op.nms_top_k, count), least);
  // A score that equals the threshold counts.
  const auto threshold = std::nextafter(static_cast<float>(op.score_threshold), std::numeric_limits<float>::lowest());
  const Value selected =
      detection::suppressed(t, boxes_with_extent(t, op), candidates, std::numeric_limits<std::int32_t>::max(),
                            op.iou_threshold, detection::real(t, static_cast<double>(threshold)));
  const Value kept =
      t.op("ScatterND", {detection::filled_like(t, least, scores), selected, t.op("GatherND", {scores, selected})});
  const Value boxes = t.op("Expand", {sizes::counted(t, count), t.op("Shape", {scores})});
  return suppression_outputs(t, op, {kept, boxes}, scores, true);
}

/// Overlaps of boxes [N, C, K, 4] with each other, [N, C, K, K]. Boxes that count their last pixel (`extent` 1) and are
/// less than a pixel apart do not overlap.
Value mutual_overlaps(Translation& t, const Value& boxes, double extent) {
  const Outputs corner = detection::parts(t, boxes, 3, {2, 2});
  const Value zero = detection::real(t, 0);
  const auto area = [&](const Value& low, const Value& high) {
    const Value side = t.op("Sub", {high, low});
    const Value pixels = t.op("Add", {side, detection::real(t, extent)});
    const Outputs sides = detection::parts(t, t.op("Where", {t.op("Less", {side, zero}), zero, pixels}), -1, {1, 1});
    return t.with_axes("Squeeze", t.op("Mul", {sides[0], sides[1]}), {-1});
  };
  const auto row = [&](const Value& value) { return t.with_axes("Unsqueeze", value, {3}); };
  const auto other = [&](const Value& value) { return t.with_axes("Unsqueeze", value, {2}); };
  const Value common =
      area(t.op("Max", {row(corner[0]), other(corner[0])}), t.op("Min", {row(corner[1]), other(corner[1])}));
  const Value own = area(corner[0], corner[1]);
  const Value both = t.op("Sub", {t.op("Add", {row(own), other(own)}), common});
  return t.op("Where", {t.op("Greater", {common, zero}), t.op("Div", {common, both}), zero});
}

/// The best candidates of a class, each decayed by its overlap with better ones: in [i, j], candidate j is better than
/// i.
Expected<Outputs> matrix_suppression(Translation& t) {
  const auto& op = *t.node.as<ops::MatrixNms>();
  const Value scores = foreground_scores(t, op);
  const Value least = detection::least_real(t);
  const Value count = limited_count(t, op.nms_top_k, dimension_of(t, scores, 2));
  const Outputs best = t.ops("TopK", {scores, count}, 2, {{"axis", 2}});
  const Value places = t.with_axes("Unsqueeze", best[1], {3});
  const Value all_boxes = t.with_axes("Unsqueeze", detection::in_f32(t, 0), {1});  // [N, 1, M, 4]
  const Value class_shape =
      detection::joined(t, {sizes::part(t, t.op("Shape", {scores}), 0, 0, 3), t.integers({4})}, 0);
  const Value of_classes = t.op("Expand", {all_boxes, class_shape});
  const Value four = t.op("Expand", {places, detection::joined(t, {t.op("Shape", {best[1]}), t.integers({4})}, 0)});
  const Value boxes = t.op("GatherElements", {of_classes, four}, {{"axis", 2}});
  const Value numbers = sizes::counted(t, t.op("Reshape", {count, t.integers({})}));
  const Value is_better = t.op("Less", {numbers, t.with_axes("Unsqueeze", numbers, {1})});  // j < i
  const Value zero = detection::real(t, 0);
  const Value one = detection::real(t, 1);
  const Value overlaps = t.op("Where", {is_better, mutual_overlaps(t, boxes, op.normalized ? 0 : 1), zero});
  const Value largest = t.with_axes("ReduceMax", overlaps, {3}, {{"keepdims", 0}}, 18);  // of each with better ones
  const Value of_better = t.with_axes("Unsqueeze", largest, {2});
  Value decay;
  if (op.decay_function == ops::NmsDecay::linear) {
    decay = t.op("Div", {t.op("Sub", {one, overlaps}), t.op("Sub", {one, of_better})});
  } else {
    const Value squares = t.op("Sub", {t.op("Mul", {of_better, of_better}), t.op("Mul", {overlaps, overlaps})});
    decay = t.op("Exp", {t.op("Mul", {squares, detection::real(t, op.gaussian_sigma)})});
  }
  const Value least_decay =
      t.with_axes("ReduceMin", t.op("Where", {is_better, decay, one}), {3}, {{"keepdims", 0}}, 18);
  const Value decayed = t.op("Mul", {best[0], t.op("Min", {least_decay, one})});
  const Value is_candidate = t.op("Greater", {best[0], detection::real(t, op.score_threshold)});
  const Value is_left = t.op("Greater", {decayed, detection::real(t, op.post_threshold)});
  const Value kept = t.op("Where", {t.op("And", {is_candidate, is_left}), decayed, least});
  const Value by_box =
      t.op("ScatterElements", {detection::filled_like(t, least, scores), best[1], kept}, {{"axis", 2}});
  return suppression_outputs(t, op, {kept, best[1]}, by_box, false);
}

}  // namespace

void register_class_suppression(OnnxForms& table) {
  table.add<ops::v8::MulticlassNms>(multiclass_suppression<ops::v8::MulticlassNms>);
  table.add<ops::v9::MulticlassNms>(multiclass_suppression<ops::v9::MulticlassNms>);
  table.add<ops::MatrixNms>(matrix_suppression);
}

}  // namespace mo::onnx_emitter
