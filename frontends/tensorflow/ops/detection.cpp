#include <limits>

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/gather_tree.hpp"
#include "ops/non_max_suppression.hpp"
#include "ops/pad.hpp"
#include "ops/scatter.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"
#include "ops/transpose.hpp"

namespace mo::tensorflow {
namespace {

constexpr double kLowest = std::numeric_limits<float>::lowest();

/// The only element of `x`, an f32 scalar.
Value real_scalar(Rewriter& rw, const Value& x) {
  if (const auto known = single_real_of(x)) return rw.scalar(static_cast<float>(*known));
  return as_scalar(rw, as_type(rw, x, ElementType::f32));
}

/// `vector` with zeros appended up to the length `most` (an i64 scalar).
Value filled_up(Rewriter& rw, const Value& vector, const Value& most) {
  const Value missing = rw.create(ops::Subtract{}, as_length(rw, most), shape_of(rw, vector));
  return rw.create(ops::Pad{}, vector, rw.integers({0}), missing);
}

/// `version`: 1 to 5, as in the name of the op. Inputs: boxes [N, 4], scores [N], the most boxes; from version 2 on the
/// overlap, from 3 on the least score, in 5 sigma. TensorFlow NonMaxSuppression keeps scores above the threshold, and
/// drops overlaps above theirs, which is what opset9 does.
Replacement non_max_suppression(const FrameworkNode& node, Rewriter& rw, int version) {
  MO_TRY(node.expect_inputs(version == 1 ? 3 : version == 2 ? 4 : version < 5 ? 5 : 6));
  const bool pad = version >= 4 && node.attr("pad_to_max_output_size", false);
  const Value boxes = rw.create(ops::Unsqueeze{}, node.input(0), rw.integers({0}));
  const Value scores = rw.create(ops::Unsqueeze{}, node.input(1), rw.integers({0, 1}));
  const Value most = integer_of(rw, node.input(2));
  const Value overlap =
      version > 1 ? real_scalar(rw, node.input(3)) : rw.scalar(static_cast<float>(node.attr("iou_threshold", 0.5)));
  const Value least = version > 2 ? real_scalar(rw, node.input(4)) : rw.scalar(std::numeric_limits<float>::lowest());
  std::vector<Value> inputs{boxes, scores, most, overlap, least};
  if (version == 5) inputs.push_back(real_scalar(rw, node.input(5)));
  const ops::NonMaxSuppression op{.sort_result_descending = false, .output_type = ElementType::i32};
  const Node selection = rw.create_node(op, inputs, 3);

  Value indices = column_of(rw, selection.output(0), 2);
  if (pad) indices = filled_up(rw, indices, most);
  if (version < 4) return indices;
  const Value count = rw.create(ops::Squeeze{}, selection.output(2), rw.integers({0}));
  if (version == 4) return Outputs{indices, count};
  Term kept(rw, column_of(rw, selection.output(1), 2), ElementType::f32);
  if (pad) kept = {rw, filled_up(rw, kept, most), ElementType::f32};
  return Outputs{indices, as_type_of(rw, kept, node.input(1)), count};
}

/// Inputs: boxes [B, N, q, 4] where q is 1 or the number of classes, scores [B, N, C], the most boxes per class, the
/// most boxes of an image, overlap, least score. Every class of every image is searched for itself; then the best of an
/// image are taken.
Replacement combined_non_max_suppression(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(6));
  const Value scores = rw.create(ops::Transpose{}, node.input(1), rw.integers({0, 2, 1}));  // [B, C, N]
  const Value shape = shape_of(rw, scores);
  const Value batch = slice_along(rw, shape, 0, 0, 1);
  const Value classes = slice_along(rw, shape, 0, 1, 2);
  const Value count = slice_along(rw, shape, 0, 2, 3);
  const Value searches = rw.create(ops::Multiply{}, batch, classes);
  const Value wanted = join(rw, {batch, count, classes, rw.integers({4})});
  const Value all_boxes =
      rw.create(ops::Transpose{}, rw.create(ops::Broadcast{}, node.input(0), wanted), rw.integers({0, 2, 1, 3}));
  const Value boxes = rw.create(ops::Reshape{}, all_boxes, join(rw, {searches, count, rw.integers({4})}));
  const Value rows = rw.create(ops::Reshape{}, scores, join(rw, {searches, rw.integers({1}), count}));
  const Value per_class = integer_of(rw, node.input(2));
  const Term in_total(rw, as_length(rw, integer_of(rw, node.input(3))), ElementType::i64);
  Term most = in_total;
  if (node.attr("pad_per_class", false))
    most = smaller(in_total, Term(rw, as_length(rw, per_class), ElementType::i64).apply(ops::Multiply{}, classes));

  const ops::NonMaxSuppression op{.sort_result_descending = false, .output_type = ElementType::i64};
  const Node selection =
      rw.create_node(op, {boxes, rows, per_class, real_scalar(rw, node.input(4)), real_scalar(rw, node.input(5))}, 3);

  // The scores that were kept, at their places among all; the lowest number elsewhere, also in as many further places
  // as may be asked for.
  const Value lowest = rw.scalar(static_cast<float>(kLowest));
  const Value nothing = rw.create(ops::Broadcast{}, lowest, join(rw, {searches, count}));
  const Value places = rw.create(ops::Gather{}, selection.output(0), rw.integers({0, 2}), rw.scalar<std::int64_t>(1));
  const Value kept = rw.create(ops::ScatterNDUpdate{}, nothing, places, column_of(rw, selection.output(1), 2));
  const Value by_image = rw.create(ops::Reshape{}, kept, join(rw, {batch, rw.integers({-1})}));
  const Value spare = rw.create(ops::Broadcast{}, lowest, join(rw, {batch, most}));
  const Value candidates = rw.create(ops::Concat{.axis = 1}, by_image, spare);
  const Node best = rw.create_node(ops::TopK{.axis = 1, .index_element_type = ElementType::i64},
                                   {candidates, as_scalar(rw, most)}, 2);

  const Term best_scores(rw, best.output(0), ElementType::f32);
  const Term valid = greater(best_scores, kLowest);
  const Term place = choose(valid, {rw, best.output(1), ElementType::i64}, 0);
  const Value flat_boxes = rw.create(ops::Reshape{}, boxes, join(rw, {batch, rw.integers({-1, 4})}));
  Term best_boxes(rw, rw.create(ops::Gather{.batch_dims = 1}, flat_boxes, place.value(), rw.scalar<std::int64_t>(1)),
                  ElementType::f32);
  best_boxes =
      choose({rw, rw.create(ops::Unsqueeze{}, valid.value(), rw.integers({-1})), ElementType::boolean}, best_boxes, 0);
  if (node.attr("clip_boxes", true)) best_boxes = best_boxes.apply(ops::Clamp{.min = 0, .max = 1});
  const Term label = place.apply(ops::Divide{}, count).as(ElementType::f32);  // of an index that is not valid: 0
  const Term counted = valid.as(ElementType::i32).apply(ops::ReduceSum{}, rw.integers({1}));
  return Outputs{best_boxes.value(), choose(valid, best_scores, 0).value(), label.value(), counted.value()};
}

// -- CropAndResize ----------------------------------------------------------------------------------------------------

/// Places (in elements) of the samples along one axis, f32 [boxes, size].
struct Samples {
  Term places;
  Term last;    ///< f32 scalar: the last place inside
  Term length;  ///< i64 scalar
};

/// From `low` to `high` ([boxes, 1], in parts of the image) in equal steps, as many as `sizes` (height, width) says; a
/// single sample lies in the middle.
Samples samples_of(Rewriter& rw, const Value& image, std::int64_t axis, const Term& low, const Term& high,
                   const Value& sizes) {
  const Value size = integer_at(rw, sizes, axis - 1);
  const Term length(rw, dimension_of(rw, image, axis), ElementType::i64);
  const Term last = (length - 1).as(ElementType::f32);
  const Term count(rw, size, ElementType::i64);
  // A size that is computed from shapes may change with them.
  const auto known = sizes.node().is<Const>() ? single_integer_of(size) : std::nullopt;
  const auto middle = [&] { return (low + high) * 0.5 * last; };
  const auto first = [&] { return low * last; };
  const auto spread = [&](const Term& steps) {
    return (high - low) * last / steps * count_up(rw, size, ElementType::f32).unsqueezed({0});
  };
  if (known == 1) return {middle(), last, length};
  const Term steps = (count - 1).as(ElementType::f32);
  if (known) return {first() + spread(steps), last, length};
  // With one sample the spread is that of place 0: nothing.
  return {choose(greater(count, 1), first(), middle()) + spread(larger(steps, 1)), last, length};
}

/// Inputs: image [B, H, W, C], boxes [n, 4] (y1, x1, y2, x2), the image of each box, crop size. Samples outside of the
/// image are `extrapolation_value`; the others lie between four elements. ROIPooling of the IR samples elsewhere, so it
/// is not used.
Replacement crop_and_resize(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  const std::string method = node.attr("method", "bilinear");
  if (method != "bilinear" && method != "nearest")
    return node.error("MO-TF-0683", "method is '{}'", method).hint("use bilinear or nearest");
  const auto known_size = integers_of(node.input(3));
  if (known_size && (known_size->size() != 2 || known_size->front() < 1 || known_size->back() < 1))
    return node.error("MO-TF-0682", "crop_size is not two positive integers")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const Term image = term(rw, node.input(0)).as(ElementType::f32);
  const Node corners = rw.create_node(ops::Split{.num_splits = 4}, {node.input(1), rw.scalar<std::int64_t>(1)}, 4);
  const auto corner = [&](std::size_t i) { return Term(rw, corners.output(i), ElementType::f32); };
  const Samples y = samples_of(rw, image, 1, corner(0), corner(2), node.input(3));
  const Samples x = samples_of(rw, image, 2, corner(1), corner(3), node.input(3));
  const auto inside = [](const Samples& s) { return both(greater_equal(s.places, 0), less_equal(s.places, s.last)); };
  const auto limited = [](const Samples& s) { return larger(smaller(s.places, s.last), 0); };
  const Term y_place = limited(y);
  const Term x_place = limited(x);

  // The pixels as rows: that of (b, y, x) is number (b * H + y) * W + x.
  const Value channels = slice_along(rw, shape_of(rw, image), 0, 3, 4);
  const Value pixels = rw.create(ops::Reshape{}, image.value(), join(rw, {rw.integers({-1}), channels}));
  const Term owner = Term(rw, node.input(2), ElementType::i32).as(ElementType::i64).reshaped({-1, 1});
  const auto rows_at = [&](const Term& row) {
    return ((owner * y.length + row.as(ElementType::i64)) * x.length).unsqueezed({2});
  };
  const auto columns_at = [&](const Term& column) { return column.as(ElementType::i64).unsqueezed({1}); };
  const auto pixel = [&](const Term& rows, const Term& columns) {
    return Term(rw, rw.create(ops::Gather{}, pixels, (rows + columns).value(), rw.scalar<std::int64_t>(0)),
                ElementType::f32);
  };
  const auto crops = [&]() -> Term {
    if (method == "nearest") {
      const ops::Round round{.mode = ops::RoundMode::half_away_from_zero};
      return pixel(rows_at(y_place.apply(round)), columns_at(x_place.apply(round)));
    }
    const Term top = floored(y_place);
    const Term left = floored(x_place);
    const Term left_columns = columns_at(left);
    const Term right_columns = columns_at(x_place.apply(ops::Ceiling{}));
    const Term down = (y_place - top).unsqueezed({2, 3});
    const Term across = (x_place - left).unsqueezed({1, 3});
    const auto row = [&](const Term& rows) {
      const Term first = pixel(rows, left_columns);
      return first + (pixel(rows, right_columns) - first) * across;
    };
    const Term upper = row(rows_at(top));
    return upper + (row(rows_at(y_place.apply(ops::Ceiling{}))) - upper) * down;
  };
  const Term known = both(inside(y).unsqueezed({2, 3}), inside(x).unsqueezed({1, 3}));
  return choose(known, crops(), node.attr("extrapolation_value", 0.0)).value();
}

}  // namespace

void register_detection(OperatorTable& table) {
  for (int version = 1; version <= 5; ++version)
    table.translate(
        version == 1 ? "NonMaxSuppression" : "NonMaxSuppressionV" + std::to_string(version),
        [version](const FrameworkNode& node, Rewriter& rw) { return non_max_suppression(node, rw, version); });
  table.translate("CombinedNonMaxSuppression", combined_non_max_suppression);
  table.translate("CropAndResize", crop_and_resize);
  for (const char* op : {"GatherTree", "Addons>GatherTree"})
    table.extract(op, [](const FrameworkNode&) -> Expected<Op> { return ops::GatherTree{}; });
}

}  // namespace mo::tensorflow
