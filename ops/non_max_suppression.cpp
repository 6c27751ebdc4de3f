#include "ops/non_max_suppression.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/non_max_suppression.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

Dimension smaller_of(const Dimension& a, const Dimension& b) {
  if (a == b) return a;
  return {std::min(a.min(), b.min()), std::min(a.max(), b.max())};
}

/// Up to op set 4, limits and thresholds are scalars; from then on they may be lists of one as well.
constexpr std::size_t kInputsOfOpset1 = 5;

/// What the classes share of inference.
struct NmsDimensions {
  Dimension batches;
  Dimension classes;
  Dimension boxes;
  Dimension most_per_class;
};

Expected<NmsDimensions> nms_dimensions(const InferContext& ctx, std::size_t most_inputs, ElementType output_type,
                                       Dimension coordinates = 4) {
  MO_TRY(ctx.expect_inputs(2, most_inputs));
  MO_TRY(ctx.expect_rank(0, 3, 3));
  MO_TRY(ctx.expect_rank(1, 3, 3));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_TRY(expect_element_type(ctx, 1, is_real, "a real type"));
  if (output_type != ElementType::i32 && output_type != ElementType::i64)
    return ctx.error("MO-OPS-0432", "output_type is {}", to_string(output_type)).hint("indices are i32 or i64");
  for (std::size_t i = 2; i < ctx.input_count(); ++i) {
    if (most_inputs == kInputsOfOpset1) MO_TRY(expect_scalar(ctx, i));
    const auto count = ctx.input_shape(i).element_count();
    if (count && *count != 1)
      return ctx.error("MO-OPS-0431", "input {} has {} elements", i, *count)
          .hint("limits and thresholds are scalars or have one element");
  }
  MO_TRY(expect_element_type(ctx, 2, is_integral, "an integer type"));
  for (const std::size_t i : {3, 4, 5}) MO_TRY(expect_element_type(ctx, i, is_real, "a real type"));
  NmsDimensions dims;
  const PartialShape& boxes = ctx.input_shape(0);
  const PartialShape& scores = ctx.input_shape(1);
  if (scores.has_rank()) {
    dims.batches = scores[0];
    dims.classes = scores[1];
    dims.boxes = scores[2];
  }
  if (boxes.has_rank()) {
    const auto batches = dims.batches.merge(boxes[0]);
    const auto count = dims.boxes.merge(boxes[1]);
    if (!batches || !count || !coordinates.merge(boxes[2]))
      return ctx
          .error("MO-OPS-0430", "boxes {} and scores {} do not belong together", boxes.to_string(), scores.to_string())
          .hint("boxes are [batch, count, {}], scores [batch, classes, count]", coordinates.to_string());
    dims.batches = *batches;
    dims.boxes = *count;
  }
  if (!ctx.has_input(2)) {
    dims.most_per_class = 0;
  } else if (const auto most = ctx.integer(2)) {
    dims.most_per_class = std::max<std::int64_t>(*most, 0);
  }
  return dims;
}

Expected<std::vector<reference::SelectedBox>> select_boxes(const EvalContext& ctx,
                                                           reference::NonMaxSuppressionParameters parameters) {
  if (ctx.has_input(2)) {
    MO_ASSIGN(const std::vector<std::int64_t> most, ctx.integers(2));
    parameters.most_per_class = most.front();
  }
  float* const thresholds[] = {&parameters.iou_threshold, &parameters.score_threshold, &parameters.soft_sigma};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!ctx.has_input(3 + i)) continue;
    MO_ASSIGN(const std::vector<double> value, ctx.reals(3 + i));
    *thresholds[i] = static_cast<float>(value.front());
  }
  MO_ASSIGN(const Tensor boxes, convert(ctx.input(0), ElementType::f32));
  MO_ASSIGN(const Tensor scores, convert(ctx.input(1), ElementType::f32));
  return reference::non_max_suppression(boxes, scores, parameters);
}

reference::BoxKind kind_of(BoxEncoding encoding) {
  return encoding == BoxEncoding::center ? reference::BoxKind::centers : reference::BoxKind::corners;
}

/// [rows, 3] of batch, class, box; rows after the selected ones are -1.
Expected<void> set_indices(EvalContext& ctx, const std::vector<reference::SelectedBox>& selected, std::int64_t rows,
                           ElementType type) {
  MO_ASSIGN(Tensor indices, Tensor::allocate(ElementType::i64, {rows, 3}));
  const auto values = indices.mutable_values<std::int64_t>();
  std::fill(values.begin(), values.end(), -1);
  const std::size_t count = std::min(selected.size(), static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < count; ++i) {
    values[3 * i] = selected[i].batch;
    values[3 * i + 1] = selected[i].label;
    values[3 * i + 2] = selected[i].box;
  }
  MO_ASSIGN(indices, convert(indices, type));
  ctx.set_output(0, std::move(indices));
  return {};
}

/// The classes with one output of a fixed number of rows.
Expected<void> evaluate_fixed(EvalContext& ctx, BoxEncoding encoding, bool sort, ElementType type) {
  MO_ASSIGN(const std::vector<reference::SelectedBox> selected,
            select_boxes(ctx, {.kind = kind_of(encoding), .sort_by_score = sort}));
  return set_indices(ctx, selected, ctx.output(0).shape()[0], type);
}

/// The classes whose outputs are as long as what was selected.
Expected<void> infer_selected(InferContext& ctx, ElementType type, std::size_t most_inputs = 6,
                              std::int64_t coordinates = 4) {
  MO_ASSIGN(const NmsDimensions dims, nms_dimensions(ctx, most_inputs, type, coordinates));
  const Dimension most = dims.batches * dims.classes * smaller_of(dims.most_per_class, dims.boxes);
  const Dimension rows(0, most.max());
  ctx.output(0, type, {rows, 3});
  ctx.output(1, ElementType::f32, {rows, 3});
  ctx.output(2, type, {1});
  return {};
}

Expected<void> evaluate_selected(EvalContext& ctx, const reference::NonMaxSuppressionParameters& parameters,
                                 ElementType type) {
  MO_ASSIGN(const std::vector<reference::SelectedBox> selected, select_boxes(ctx, parameters));
  const auto rows = static_cast<std::int64_t>(selected.size());
  MO_TRY(set_indices(ctx, selected, rows, type));
  MO_ASSIGN(Tensor scores, Tensor::allocate(ElementType::f32, {rows, 3}));
  const auto values = scores.mutable_values<float>();
  for (std::size_t i = 0; i < selected.size(); ++i) {
    values[3 * i] = static_cast<float>(selected[i].batch);
    values[3 * i + 1] = static_cast<float>(selected[i].label);
    values[3 * i + 2] = selected[i].score;
  }
  ctx.set_output(1, std::move(scores));
  MO_ASSIGN(Tensor count, from_integers(type, {1}, {rows}));
  ctx.set_output(2, std::move(count));
  return {};
}

}  // namespace

Expected<void> v9::NonMaxSuppression::infer(InferContext& ctx) const { return infer_selected(ctx, output_type); }
Expected<void> v9::NonMaxSuppression::evaluate(EvalContext& ctx) const {
  return evaluate_selected(
      ctx, {.kind = kind_of(box_encoding), .sort_by_score = sort_result_descending, .drop_at_threshold = false},
      output_type);
}

Expected<void> v5::NonMaxSuppression::evaluate(EvalContext& ctx) const {
  return evaluate_selected(ctx, {.kind = kind_of(box_encoding), .sort_by_score = sort_result_descending}, output_type);
}

Expected<void> v4::NonMaxSuppression::infer(InferContext& ctx) const {
  MO_ASSIGN(const NmsDimensions dims, nms_dimensions(ctx, kInputsOfOpset1, output_type));
  ctx.output(0, output_type, {dims.batches * dims.classes * smaller_of(dims.most_per_class, dims.boxes), 3});
  return {};
}
Expected<void> v4::NonMaxSuppression::evaluate(EvalContext& ctx) const {
  return evaluate_fixed(ctx, box_encoding, sort_result_descending, output_type);
}

Expected<void> v3::NonMaxSuppression::infer(InferContext& ctx) const {
  MO_ASSIGN(const NmsDimensions dims, nms_dimensions(ctx, kInputsOfOpset1, output_type));
  ctx.output(0, output_type, {smaller_of(dims.boxes, dims.most_per_class * dims.classes), 3});
  return {};
}

Expected<void> NMSRotated::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(5));
  return infer_selected(ctx, output_type, 5, 5);
}
Expected<void> NMSRotated::evaluate(EvalContext& ctx) const {
  return evaluate_selected(ctx,
                           {.kind = clockwise ? reference::BoxKind::clockwise : reference::BoxKind::counter_clockwise,
                            .sort_by_score = sort_result_descending,
                            .drop_at_threshold = false},
                           output_type);
}

void register_non_max_suppression(OpRegistry& registry) {
  registry.add<v1::NonMaxSuppression>();
  registry.add<v3::NonMaxSuppression>();
  registry.add<v4::NonMaxSuppression>();
  registry.add<v5::NonMaxSuppression>();
  registry.add<v9::NonMaxSuppression>();
  registry.add<NMSRotated>();
}

}  // namespace mo::ops
