#include <algorithm>
#include <cmath>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/support/soft_suppression.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/non_max_suppression.hpp"

namespace mo::onnx_emitter {
namespace {

/// A limit or threshold as a scalar; `absent` when the node has none.
Value scalar_or(Translation& t, std::size_t i, ElementType type, double absent) {
  if (!t.input(i)) return t.scalar(type, absent);
  const Value given = sizes::typed_input(t, i, type);
  return t.node.input_type(i).rank() == 0 ? given : t.op("Reshape", {given, t.integers({})});
}

/// What an overlap is compared with: a box is dropped when its overlap is larger.
struct OverlapLimit {
  Value threshold;
  bool drops_all = false;  ///< each overlap drops a box, also none at all: only the best box of a class is left
};

/// Classes up to opset5 drop a box whose overlap is exactly the threshold, ONNX keeps it: the next smaller f32 is the
/// threshold then. ONNX wants a number from 0 to 1.
OverlapLimit overlap_limit(Translation& t, bool drops_equal) {
  const auto known = t.input(3) ? single_real_of(t.node.input(3)) : std::optional(0.0);
  if (!known) {
    const Value given = scalar_or(t, 3, ElementType::f32, 0);
    constexpr double kJustBelow = 1 - 0x1p-24;  // f32 rounds the product to the next smaller number
    return {.threshold = drops_equal ? t.op("Mul", {given, t.scalar(ElementType::f32, kJustBelow)}) : given};
  }
  auto threshold = static_cast<float>(*known);
  const bool drops_all = drops_equal ? threshold <= 0 : threshold < 0;
  if (drops_all) return {.threshold = t.scalar(ElementType::f32, 1), .drops_all = true};
  if (drops_equal && threshold <= 1) threshold = std::nextafter(threshold, 0.0F);
  return {.threshold = t.scalar(ElementType::f32, std::min(threshold, 1.0F))};
}

/// The most boxes of a class: a scalar of i64.
Expected<Value> most_boxes(Translation& t, bool only_best) {
  const auto known = t.input(2) ? single_integer_of(t.node.input(2)) : std::optional<std::int64_t>(0);
  if (known) {
    const std::int64_t most = std::max<std::int64_t>(*known, 0);
    return sizes::scalar(t, only_best ? std::min<std::int64_t>(most, 1) : most);
  }
  const Value given = sizes::one_as_scalar(t, 2);
  if (!only_best) return given;
  if (t.opset < 12) return t.needs_opset(12);  // the least of integers
  return t.op("Min", {given, sizes::scalar(t, 1)});
}

/// What was selected, in the order of the op.
struct SelectedBoxes {
  Value indices;  ///< [selected, 3] of batch, class, box; i64
  Value scores;   ///< [selected]; empty unless they are asked for or sorted by
};

SelectedBoxes sorted_boxes(Translation& t, const SelectedBoxes& selected) {
  const Outputs sorted = t.ops("TopK", {selected.scores, t.op("Shape", {selected.scores})}, 2, {{"axis", 0}});
  return {t.op("Gather", {selected.indices, sorted[1]}, {{"axis", 0}}), sorted[0]};
}

/// Classes up to opset5 also drop a box at the threshold of overlaps.
Expected<SelectedBoxes> softly_selected_boxes(Translation& t, const ops::v9::NonMaxSuppression& op, bool drops_equal,
                                              double sigma) {
  MO_ASSIGN(const Value most, most_boxes(t, false));
  SoftSuppressionInputs inputs;
  inputs.boxes = sizes::typed_input(t, 0, ElementType::f32);
  inputs.scores = sizes::typed_input(t, 1, ElementType::f32);
  inputs.most = most;
  inputs.least = scalar_or(t, 4, ElementType::f32, 0);
  if (drops_equal) inputs.drops_at = scalar_or(t, 3, ElementType::f32, 0);
  inputs.sigma = sigma;
  inputs.are_centers = op.box_encoding == ops::BoxEncoding::center;
  const SoftlySelected found = softly_selected(t, inputs);
  const SelectedBoxes selected{found.indices, found.scores};
  return op.sort_result_descending ? sorted_boxes(t, selected) : selected;
}

/// Both give the boxes of each batch and class by score, the first of equal ones first; sorting by score, which
/// TopK does, keeps that order among equal scores.
Expected<SelectedBoxes> selected_boxes(Translation& t, const ops::v9::NonMaxSuppression& op, bool drops_equal,
                                       bool wants_scores) {
  if (t.input(5)) {
    const auto sigma = single_real_of(t.node.input(5));
    if (!sigma) return t.refused("soft suppression by a computed sigma");
    if (*sigma > 0) return softly_selected_boxes(t, op, drops_equal, *sigma);
  }
  const OverlapLimit overlap = overlap_limit(t, drops_equal);
  MO_ASSIGN(const Value most, most_boxes(t, overlap.drops_all));
  const Value boxes = sizes::typed_input(t, 0, ElementType::f32);
  const Value scores = sizes::typed_input(t, 1, ElementType::f32);
  const int centers = op.box_encoding == ops::BoxEncoding::center ? 1 : 0;
  SelectedBoxes selected;
  selected.indices =
      t.op("NonMaxSuppression", {boxes, scores, most, overlap.threshold, scalar_or(t, 4, ElementType::f32, 0)},
           {{"center_point_box", centers}});
  if (!wants_scores && !op.sort_result_descending) return selected;
  selected.scores = t.op("GatherND", {scores, selected.indices});
  return op.sort_result_descending ? sorted_boxes(t, selected) : selected;
}

/// The classes whose outputs are as long as what was selected.
template <class Op>
Expected<Outputs> suppress(Translation& t) {
  const ops::v9::NonMaxSuppression& op = *t.node.as<Op>();
  constexpr bool kDropsEqual = Op::id.version < 9;
  MO_ASSIGN(const SelectedBoxes selected, selected_boxes(t, op, kDropsEqual, sizes::is_read(t, 1)));
  Outputs made{sizes::as_index_type(t, selected.indices, op.output_type), Value(), Value()};
  if (sizes::is_read(t, 1)) {
    const Value labels = t.cast(sizes::part(t, selected.indices, 1, 0, 2), ElementType::f32);
    made[1] = t.op("Concat", {labels, t.with_axes("Unsqueeze", selected.scores, {1})}, {{"axis", 1}});
  }
  if (sizes::is_read(t, 2)) {
    const Value count = sizes::part(t, t.op("Shape", {selected.indices}), 0, 0, 1);
    made[2] = sizes::as_index_type(t, count, op.output_type);
  }
  return made;
}

/// The fixed number of rows: of all batches and classes, or the largest number of one batch. A vector of one i64.
Expected<Value> fixed_rows(Translation& t, bool of_all) {
  const PartialShape& shape = t.node.output_type().shape;
  if (shape.has_rank() && shape.size() == 2 && shape[0].is_known()) return t.integers({shape[0].value()});
  if (t.opset < 12) return t.needs_opset(12);  // the least of integers
  if (!t.input(2)) return t.integers({0});
  const Value scores = t.op("Shape", {t.input(1)});
  const auto size = [&](std::int64_t axis) { return sizes::part(t, scores, 0, axis, axis + 1); };
  const Value most = t.op("Max", {sizes::one_as_vector(t, 2), t.integers({0})});
  const Value of_class = t.op("Min", {most, size(2)});
  const Value of_batch = t.op("Mul", {of_class, size(1)});
  return of_all ? t.op("Mul", {of_batch, size(0)}) : t.op("Min", {of_batch, size(2)});
}

/// The classes with a fixed number of rows: rows of -1 follow what was selected, and what is too much is cut off.
template <class Op>
Expected<Outputs> suppress_to_fixed_size(Translation& t) {
  const ops::v9::NonMaxSuppression& op = *t.node.as<Op>();
  MO_ASSIGN(const SelectedBoxes selected, selected_boxes(t, op, true, false));
  MO_ASSIGN(const Value rows, fixed_rows(t, Op::id.version == 4));
  const Value shape = t.op("Concat", {rows, t.integers({3})}, {{"axis", 0}});
  const Value nothing = sizes::filled(t, shape, ElementType::i64, -1);
  const Value all = t.op("Concat", {selected.indices, nothing}, {{"axis", 0}});
  const Value first = t.integers({0});
  const Value cut = t.op("Slice", {all, first, rows, first});
  return Outputs{sizes::as_index_type(t, cut, op.output_type)};
}

}  // namespace

void register_suppression(OnnxForms& table) {
  table.add<ops::v1::NonMaxSuppression>(suppress_to_fixed_size<ops::v1::NonMaxSuppression>);
  table.add<ops::v3::NonMaxSuppression>(suppress_to_fixed_size<ops::v3::NonMaxSuppression>);
  table.add<ops::v4::NonMaxSuppression>(suppress_to_fixed_size<ops::v4::NonMaxSuppression>);
  table.add<ops::v5::NonMaxSuppression>(suppress<ops::v5::NonMaxSuppression>);
  table.add<ops::v9::NonMaxSuppression>(suppress<ops::v9::NonMaxSuppression>);
}

}  // namespace mo::onnx_emitter
