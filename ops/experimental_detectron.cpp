#include "ops/experimental_detectron.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/detectron.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// A number of rows that the model gives must be one.
Expected<Dimension> row_count(const InferContext& ctx, std::string_view name, std::int64_t count) {
  if (count >= 0) return Dimension(count);
  return ctx.error("MO-OPS-0449", "{} is {}", name, count).hint("{} counts boxes, so it is at least 0", name);
}

/// Error MO-OPS-0453 unless dimension 1 of a list of boxes can be 4.
Expected<void> expect_boxes(const InferContext& ctx, std::size_t i) {
  MO_TRY(ctx.expect_rank(i, 2, 2));
  const PartialShape& shape = ctx.input_shape(i);
  if (!shape.has_rank() || shape[1].compatible(4)) return {};
  return ctx.error("MO-OPS-0453", "boxes have shape {}", shape.to_string()).hint("boxes are [count, 4]");
}

/// Error MO-OPS-0453 unless two dimensions can be equal; `what` says what they count.
Expected<Dimension> equal_counts(const InferContext& ctx, const Dimension& a, const Dimension& b,
                                 std::string_view what) {
  if (const auto merged = a.merge(b)) return *merged;
  return ctx.error("MO-OPS-0453", "{} are {} and {}", what, a.to_string(), b.to_string())
      .hint("check --input_shape and what computes the inputs");
}

/// Dimension `axis` of an input; unknown when nothing is known of its rank.
Dimension dimension_of(const InferContext& ctx, std::size_t i, std::size_t axis) {
  const PartialShape& shape = ctx.input_shape(i);
  return shape.has_rank() && axis < shape.size() ? shape[axis] : Dimension();
}

}  // namespace

Expected<void> ExperimentalDetectronDetectionOutput::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(expect_boxes(ctx, 0));
  MO_TRY(ctx.expect_rank(1, 2, 2));
  MO_TRY(ctx.expect_rank(2, 2, 2));
  MO_TRY(ctx.expect_rank(3, 2, 2));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2, 3}));
  MO_ASSIGN(const Dimension rows, row_count(ctx, "max_detections_per_image", max_detections_per_image));
  MO_TRY(equal_counts(ctx, dimension_of(ctx, 1, 1), Dimension(num_classes) * Dimension(4),
                      "the deltas of a box and 4 for each class"));
  MO_TRY(equal_counts(ctx, dimension_of(ctx, 2, 1), Dimension(num_classes), "the scores of a box and the classes"));
  Dimension boxes = dimension_of(ctx, 0, 0);
  for (const std::size_t i : {1, 2}) {
    MO_ASSIGN(boxes, equal_counts(ctx, boxes, dimension_of(ctx, i, 0), "the rows of boxes, deltas and scores"));
  }
  ctx.output(0, type, {rows, 4});
  ctx.output(1, ElementType::i32, PartialShape{rows});
  ctx.output(2, type, PartialShape{rows});
  return {};
}

Expected<void> ExperimentalDetectronDetectionOutput::evaluate(EvalContext& ctx) const {
  if (deltas_weights.size() != 4 || std::count(deltas_weights.begin(), deltas_weights.end(), 0.0) > 0)
    return ctx.error("MO-OPS-0449", "deltas_weights are {}", fmt::join(deltas_weights, ", "))
        .hint("give four values other than 0");
  std::array<Tensor, 4> inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) { MO_ASSIGN(inputs[i], convert(ctx.input(i), ElementType::f32)); }
  if (inputs[3].element_count() < 2)
    return ctx.error("MO-OPS-0453", "the image has {} values", inputs[3].element_count())
        .hint("give height, width and scale");
  reference::DetectronParameters parameters{.score_threshold = score_threshold,
                                            .nms_threshold = nms_threshold,
                                            .max_delta_log_wh = max_delta_log_wh,
                                            .most_of_class = post_nms_count,
                                            .height = inputs[3].values<float>()[0],
                                            .width = inputs[3].values<float>()[1]};
  std::copy(deltas_weights.begin(), deltas_weights.end(), parameters.weights.begin());
  MO_ASSIGN(Tensor boxes, Tensor::allocate(ElementType::f32, ctx.output(0).shape()));
  MO_ASSIGN(Tensor labels, Tensor::allocate(ElementType::i32, ctx.output(1).shape()));
  MO_ASSIGN(Tensor scores, Tensor::allocate(ElementType::f32, ctx.output(2).shape()));
  reference::detectron_detections(inputs[0], inputs[1], inputs[2], boxes, labels, scores, parameters);
  MO_ASSIGN(boxes, convert(boxes, ctx.input(0).element_type()));
  MO_ASSIGN(scores, convert(scores, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(boxes));
  ctx.set_output(1, std::move(labels));
  ctx.set_output(2, std::move(scores));
  return {};
}

Expected<void> ExperimentalDetectronGenerateProposalsSingleImage::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(ctx.expect_rank(0, 1, 1));
  MO_TRY(expect_boxes(ctx, 1));
  MO_TRY(ctx.expect_rank(2, 3, 3));
  MO_TRY(ctx.expect_rank(3, 3, 3));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2, 3}));
  MO_ASSIGN(const Dimension rows, row_count(ctx, "post_nms_count", post_nms_count));
  MO_TRY(equal_counts(ctx, dimension_of(ctx, 0, 0), Dimension(3), "the values of im_info and height, width, scale"));
  for (const std::size_t axis : {1, 2})
    MO_TRY(equal_counts(ctx, dimension_of(ctx, 2, axis), dimension_of(ctx, 3, axis), "the sizes of deltas and scores"));
  ctx.output(0, type, {rows, 4});
  ctx.output(1, type, PartialShape{rows});
  return {};
}

Expected<void> ExperimentalDetectronPriorGridGenerator::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_boxes(ctx, 0));
  MO_TRY(ctx.expect_rank(1, 4, 4));
  MO_TRY(ctx.expect_rank(2, 4, 4));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1, 2}));
  MO_TRY(equal_counts(ctx, dimension_of(ctx, 1, 0), dimension_of(ctx, 2, 0), "the batches of feature map and image"));
  const PartialShape& priors = ctx.input_shape(0);
  const PartialShape& features = ctx.input_shape(1);
  const Dimension count = priors.has_rank() ? priors[0] : Dimension();
  const auto size = [&](std::int64_t given, std::size_t axis) {
    return given > 0 ? Dimension(given) : features.has_rank() ? features[axis] : Dimension();
  };
  const Dimension rows = size(h, 2);
  const Dimension columns = size(w, 3);
  if (flatten)
    ctx.output(0, type, {rows * columns * count, 4});
  else
    ctx.output(0, type, {rows, columns, count, 4});
  return {};
}

Expected<void> ExperimentalDetectronROIFeatureExtractor::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, std::numeric_limits<std::size_t>::max()));
  MO_TRY(expect_boxes(ctx, 0));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const Dimension size, row_count(ctx, "output_size", output_size));
  ElementType type = ctx.input_element_type(0);
  Dimension channels;
  for (std::size_t i = 1; i < ctx.input_count(); ++i) {
    MO_TRY(ctx.expect_rank(i, 4, 4));
    MO_ASSIGN(type, common_element_type(ctx, {0, i}));
    MO_TRY(equal_counts(ctx, dimension_of(ctx, i, 0), Dimension(1), "the batch of a level and the one image"));
    const PartialShape& level = ctx.input_shape(i);
    if (!level.has_rank()) continue;
    const auto merged = channels.merge(level[1]);
    if (!merged)
      return ctx
          .error("MO-OPS-0453", "levels of the pyramid have {} and {} channels", channels.to_string(),
                 level[1].to_string())
          .hint("all levels have the same channels");
    channels = *merged;
  }
  const PartialShape& rois = ctx.input_shape(0);
  const Dimension count = rois.has_rank() ? rois[0] : Dimension();
  ctx.output(0, type, {count, channels, size, size});
  ctx.output(1, type, {count, 4});
  return {};
}

Expected<void> ExperimentalDetectronROIFeatureExtractor::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const Tensor rois, convert(ctx.input(0), ElementType::f32));
  std::vector<Tensor> levels;
  for (std::size_t i = 1; i < ctx.input_count(); ++i) {
    MO_ASSIGN(Tensor level, convert(ctx.input(i), ElementType::f32));
    if (level.shape()[2] == 0 || level.shape()[3] == 0)
      return ctx.error("MO-OPS-0453", "a level of shape {} has nothing to pool", to_string(level.shape()))
          .hint("check --input_shape");
    levels.push_back(std::move(level));
  }
  const bool scaled =
      std::all_of(pyramid_scales.begin(), pyramid_scales.end(), [](std::int64_t scale) { return scale > 0; });
  if (pyramid_scales.size() < levels.size() || !scaled)
    return ctx
        .error("MO-OPS-0449", "pyramid_scales are {}, and there are {} levels", fmt::join(pyramid_scales, ", "),
               levels.size())
        .hint("give a scale above 0 for each level");
  MO_ASSIGN(Tensor features, Tensor::allocate(ElementType::f32, ctx.output(0).shape()));
  MO_TRY(reference::pyramid_features(rois, levels, features,
                                     {.sampling_ratio = sampling_ratio, .scales = pyramid_scales, .aligned = aligned}));
  MO_ASSIGN(features, convert(features, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(features));
  ctx.set_output(1, ctx.input(0));
  return {};
}

Expected<void> ExperimentalDetectronTopKROIs::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_boxes(ctx, 0));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  MO_ASSIGN(const Dimension rows, row_count(ctx, "max_rois", max_rois));
  MO_TRY(equal_counts(ctx, dimension_of(ctx, 0, 0), dimension_of(ctx, 1, 0),
                      "the numbers of regions and of their probabilities"));
  ctx.output(0, type, {rows, 4});
  return {};
}

void register_experimental_detectron(OpRegistry& registry) {
  registry.add<ExperimentalDetectronDetectionOutput>();
  registry.add<ExperimentalDetectronGenerateProposalsSingleImage>();
  registry.add<ExperimentalDetectronPriorGridGenerator>();
  registry.add<ExperimentalDetectronROIFeatureExtractor>();
  registry.add<ExperimentalDetectronTopKROIs>();
}

}  // namespace mo::ops
