#include "ops/detection_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/detection_output.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

constexpr std::string_view kCornerCode = "caffe.PriorBoxParameter.CORNER";
constexpr std::string_view kCenterSizeCode = "caffe.PriorBoxParameter.CENTER_SIZE";

/// What the sizes of boxes, scores and priors must be of each other.
std::string sizes_hint(std::int64_t prior_size) {
  return fmt::format(
      "boxes are [N, priors*4] or [N, priors*classes*4], scores [N, priors*classes], priors [1 or N, 2, priors*{}] (1 "
      "instead of 2 with "
      "variance_encoded_in_target)",
      prior_size);
}

/// What is known of the shapes of a DetectionOutput, in dimensions.
struct DetectionSizes {
  Dimension images;
  Dimension priors;
  Dimension classes;
};

/// Whether shape `i` has this rank, or none that is known, and dimensions that may be these.
bool may_be(const InferContext& ctx, std::size_t i, const std::vector<Dimension>& dims) {
  const PartialShape& shape = ctx.input_shape(i);
  return !ctx.has_input(i) || shape.compatible(PartialShape(dims));
}

/// Error MO-OPS-0442 unless the number of priors goes with those of boxes and scores: runtimes refuse anything else.
template <class DetectionOutput>
Expected<void> check_sizes(const DetectionOutput& op, const InferContext& ctx, const DetectionSizes& sizes,
                           std::int64_t prior_size) {
  const PartialShape& priors = ctx.input_shape(2);
  const Dimension locations = op.share_location ? Dimension(1) : sizes.classes;
  const Dimension variances = op.variance_encoded_in_target ? 1 : 2;
  const bool whole_priors = !priors.has_rank() || !priors[2].is_known() || priors[2].value() % prior_size == 0;
  const bool fits =
      whole_priors && may_be(ctx, 0, {sizes.images, sizes.priors * locations * Dimension(4)}) &&
      may_be(ctx, 1, {sizes.images, sizes.priors * sizes.classes}) &&
      (may_be(ctx, 2, {1, variances, Dimension()}) || may_be(ctx, 2, {sizes.images, variances, Dimension()})) &&
      may_be(ctx, 3, {sizes.images, sizes.priors * Dimension(2)}) &&
      may_be(ctx, 4, {sizes.images, sizes.priors * locations * Dimension(4)});
  if (fits) return {};
  return ctx
      .error("MO-OPS-0442", "boxes {}, scores {} and priors {} do not fit {} classes", ctx.input_shape(0).to_string(),
             ctx.input_shape(1).to_string(), priors.to_string(), sizes.classes.to_string())
      .hint("{}", sizes_hint(prior_size));
}

/// `classes` is known to opset1 only.
template <class DetectionOutput>
Expected<void> infer_detections(const DetectionOutput& op, InferContext& ctx, std::optional<std::int64_t> classes) {
  MO_TRY(ctx.expect_inputs(3, 5));
  MO_TRY(ctx.expect_rank(0, 2, 2));
  MO_TRY(ctx.expect_rank(1, 2, 2));
  MO_TRY(ctx.expect_rank(2, 3, 3));
  if (ctx.has_input(3) != ctx.has_input(4))
    return ctx.error("MO-OPS-0001", "one of inputs 3 and 4 is missing")
        .hint("additional scores and boxes are given together");
  MO_ASSIGN(const ElementType type, element_type_of_data(ctx, {2}));
  MO_TRY(common_element_type(ctx, {0, 1}));
  MO_TRY(common_element_type(ctx, {0, 3}));
  MO_TRY(common_element_type(ctx, {0, 4}));
  if (op.keep_top_k.empty())
    return ctx.error("MO-OPS-0440", "keep_top_k is empty").hint("keep_top_k is the number of boxes per image, or -1");
  if (op.code_type != kCornerCode && op.code_type != kCenterSizeCode)
    return ctx.error("MO-OPS-0441", "code_type is {}", op.code_type)
        .hint("code_type is {} or {}", kCornerCode, kCenterSizeCode);
  if (classes && (*classes < 1 || *classes > (std::int64_t{1} << 32)))
    return ctx.error("MO-OPS-0440", "num_classes is {}", *classes).hint("num_classes counts the background, too");
  const std::int64_t prior_size = op.normalized ? 4 : 5;
  const PartialShape& boxes = ctx.input_shape(0);
  const PartialShape& scores = ctx.input_shape(1);
  const PartialShape& priors = ctx.input_shape(2);
  Dimension images = boxes.has_rank() ? boxes[0] : Dimension();
  if (scores.has_rank()) {
    const auto merged = images.merge(scores[0]);
    if (!merged)
      return ctx
          .error("MO-OPS-0442", "boxes {} and scores {} are of different images", boxes.to_string(), scores.to_string())
          .hint("check --input_shape");
    images = *merged;
  }
  const Dimension prior_count = priors.has_rank() ? priors[2].floor_div(prior_size) : Dimension();
  // Scores are [images, priors * classes].
  const auto class_count = [&]() -> Dimension {
    if (classes) return *classes;
    if (!scores.has_rank() || !scores[1].is_known() || !prior_count.is_known() || prior_count.value() == 0) return {};
    return scores[1].value() / prior_count.value();
  };
  MO_TRY(check_sizes(op, ctx, {images, prior_count, class_count()}, prior_size));
  Dimension rows;
  if (op.keep_top_k[0] > 0)
    rows = images * Dimension(op.keep_top_k[0]);
  else if (op.top_k > 0)
    rows = images * Dimension(op.top_k) * class_count();
  else
    rows = images * prior_count * class_count();
  ctx.output(0, type, {1, 1, rows, 7});
  return {};
}

template <class DetectionOutput>
Expected<void> evaluate_detections(const DetectionOutput& op, EvalContext& ctx, std::optional<std::int64_t> classes) {
  const Shape& boxes = ctx.input(0).shape();
  const Shape& scores = ctx.input(1).shape();
  const Shape& priors = ctx.input(2).shape();
  reference::DetectionOutputParameters parameters;
  const std::int64_t prior_size = op.normalized ? 4 : 5;
  parameters.priors = priors[2] / prior_size;
  parameters.classes = classes ? *classes : parameters.priors == 0 ? 0 : scores[1] / parameters.priors;
  const std::int64_t locations = op.share_location ? 1 : parameters.classes;
  // Divisions instead of products: the numbers come from the model.
  const auto is_product = [](std::int64_t whole, std::int64_t a, std::int64_t b) {
    return a == 0 || b == 0 ? whole == 0 : whole % a == 0 && whole / a == b;
  };
  const bool fits = priors[2] % prior_size == 0 && is_product(scores[1], parameters.priors, parameters.classes) &&
                    boxes[1] % 4 == 0 && is_product(boxes[1] / 4, parameters.priors, locations) &&
                    (priors[0] == 1 || priors[0] == boxes[0]) && priors[1] == (op.variance_encoded_in_target ? 1 : 2);
  const bool more_fits = !ctx.has_input(3) || (ctx.input(4).shape() == boxes && ctx.input(3).rank() == 2 &&
                                               ctx.input(3).shape()[0] == boxes[0] &&
                                               is_product(ctx.input(3).shape()[1], 2, parameters.priors));
  if (!fits || !more_fits)
    return ctx
        .error("MO-OPS-0442", "boxes {}, scores {} and priors {} do not fit {} classes", to_string(boxes),
               to_string(scores), to_string(priors), parameters.classes)
        .hint("{}", sizes_hint(prior_size));
  parameters.background_label = op.background_label_id;
  parameters.top_k = op.top_k;
  parameters.keep_top_k = op.keep_top_k[0];
  parameters.variance_encoded_in_target = op.variance_encoded_in_target;
  parameters.center_size = op.code_type == kCenterSizeCode;
  parameters.share_location = op.share_location;
  parameters.nms_threshold = op.nms_threshold;
  parameters.confidence_threshold = op.confidence_threshold;
  parameters.clip_after_nms = op.clip_after_nms;
  parameters.clip_before_nms = op.clip_before_nms;
  parameters.decrease_label_id = op.decrease_label_id;
  parameters.normalized = op.normalized;
  parameters.input_height = static_cast<double>(std::max<std::int64_t>(op.input_height, 1));
  parameters.input_width = static_cast<double>(std::max<std::int64_t>(op.input_width, 1));
  parameters.objectness_score = op.objectness_score;
  std::array<Tensor, 5> inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (ctx.has_input(i)) { MO_ASSIGN(inputs[i], convert(ctx.input(i), ElementType::f32)); }
  MO_ASSIGN(Tensor out, Tensor::allocate(ElementType::f32, ctx.output(0).shape()));
  reference::detection_output(inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], out, parameters);
  MO_ASSIGN(out, convert(out, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(out));
  return {};
}

}  // namespace

Expected<void> v0::DetectionOutput::infer(InferContext& ctx) const { return infer_detections(*this, ctx, num_classes); }
Expected<void> v0::DetectionOutput::evaluate(EvalContext& ctx) const {
  return evaluate_detections(*this, ctx, num_classes);
}

Expected<void> v8::DetectionOutput::infer(InferContext& ctx) const {
  return infer_detections(*this, ctx, std::nullopt);
}
Expected<void> v8::DetectionOutput::evaluate(EvalContext& ctx) const {
  return evaluate_detections(*this, ctx, std::nullopt);
}

void register_detection_output(OpRegistry& registry) {
  registry.add<v0::DetectionOutput>();
  registry.add<v8::DetectionOutput>();
}

}  // namespace mo::ops
