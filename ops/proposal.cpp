#include "ops/proposal.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/proposal.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

template <class Proposal>
Expected<void> infer_proposal(const Proposal& op, InferContext& ctx, bool probabilities) {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(ctx.expect_rank(0, 4, 4));
  MO_TRY(ctx.expect_rank(1, 4, 4));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  MO_ASSIGN(const ElementType type, element_type_of_data(ctx, {1, 2}));
  const PartialShape& scores = ctx.input_shape(0);
  const PartialShape& deltas = ctx.input_shape(1);
  const PartialShape& image = ctx.input_shape(2);
  if (image.has_rank() && !image[0].compatible(Dimension(3, 4)))
    return ctx.error("MO-OPS-0448", "the image has {} values", image[0].to_string())
        .hint("they are height, width and one or two scales");
  // A typical network has 9 anchors; the limits only keep products of model data in range.
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;
  if (op.pre_nms_topn < 0 || op.post_nms_topn < 0 || op.post_nms_topn > kLargest || op.base_size < 0 ||
      op.base_size > kLargest || op.feat_stride < 0 || op.feat_stride > kLargest || op.min_size < 0)
    return ctx.error("MO-OPS-0447", "a size or a number of boxes is negative or too large")
        .hint("check base_size, feat_stride, min_size, pre_nms_topn, post_nms_topn");
  for (const double ratio : op.ratio)
    if (!(ratio > 0)) return ctx.error("MO-OPS-0447", "an aspect ratio is {}", ratio).hint("aspect ratios are above 0");
  Dimension images;
  for (const PartialShape* shape : {&scores, &deltas}) {
    if (!shape->has_rank()) continue;
    const auto merged = images.merge((*shape)[0]);
    if (!merged)
      return ctx
          .error("MO-OPS-0448", "scores {} and deltas {} are of different images", scores.to_string(),
                 deltas.to_string())
          .hint("check --input_shape");
    images = *merged;
  }
  if (scores.has_rank() && deltas.has_rank() && scores[1].is_known() && deltas[1].is_known() &&
      deltas[1].value() != 2 * scores[1].value())
    return ctx
        .error("MO-OPS-0448", "scores {} and deltas {} are of different anchors", scores.to_string(),
               deltas.to_string())
        .hint("scores have 2 channels for each anchor, deltas 4");
  const Dimension rows = images * Dimension(op.post_nms_topn);
  ctx.output(0, type, {rows, 5});
  if (probabilities) ctx.output(1, type, PartialShape{rows});
  return {};
}

template <class Proposal>
Expected<void> evaluate_proposal(const Proposal& op, EvalContext& ctx, bool probabilities) {
  const Shape& scores = ctx.input(0).shape();
  const Shape& deltas = ctx.input(1).shape();
  const auto anchors = static_cast<std::int64_t>(op.ratio.size() * op.scale.size());
  if (scores[1] != 2 * anchors || deltas[1] != 4 * anchors || scores[2] != deltas[2] || scores[3] != deltas[3])
    return ctx
        .error("MO-OPS-0448", "scores {} and deltas {} do not fit {} anchors", to_string(scores), to_string(deltas),
               anchors)
        .hint("each ratio and scale is an anchor: scores have 2 channels for each, deltas 4");
  reference::ProposalParameters p;
  p.base_size = op.base_size;
  p.pre_nms_topn = op.pre_nms_topn;
  p.post_nms_topn = op.post_nms_topn;
  p.nms_threshold = static_cast<float>(op.nms_thresh);
  p.feat_stride = op.feat_stride;
  p.min_size = op.min_size;
  p.ratios.assign(op.ratio.begin(), op.ratio.end());
  p.scales.assign(op.scale.begin(), op.scale.end());
  p.clip_before_nms = op.clip_before_nms;
  p.clip_after_nms = op.clip_after_nms;
  p.normalize = op.normalize;
  p.box_size_scale = static_cast<float>(op.box_size_scale);
  p.box_coordinate_scale = static_cast<float>(op.box_coordinate_scale);
  p.tensorflow = op.framework == "tensorflow";
  const ElementType type = ctx.input(0).element_type();
  MO_ASSIGN(const Tensor score_values, convert(ctx.input(0), ElementType::f32));
  MO_ASSIGN(const Tensor delta_values, convert(ctx.input(1), ElementType::f32));
  MO_ASSIGN(const std::vector<double> image, ctx.reals(2));
  MO_ASSIGN(Tensor rois, Tensor::allocate(ElementType::f32, ctx.output(0).shape()));
  Tensor chances;
  if (probabilities) { MO_ASSIGN(chances, Tensor::allocate(ElementType::f32, {rois.shape()[0]})); }
  reference::proposal(score_values, delta_values, {image.begin(), image.end()}, rois, chances, p);
  MO_ASSIGN(rois, convert(rois, type));
  ctx.set_output(0, std::move(rois));
  if (probabilities) {
    MO_ASSIGN(chances, convert(chances, type));
    ctx.set_output(1, std::move(chances));
  }
  return {};
}

}  // namespace

Expected<void> v0::Proposal::infer(InferContext& ctx) const { return infer_proposal(*this, ctx, false); }
Expected<void> v0::Proposal::evaluate(EvalContext& ctx) const { return evaluate_proposal(*this, ctx, false); }

Expected<void> v4::Proposal::infer(InferContext& ctx) const { return infer_proposal(*this, ctx, true); }
Expected<void> v4::Proposal::evaluate(EvalContext& ctx) const { return evaluate_proposal(*this, ctx, true); }

void register_proposal(OpRegistry& registry) {
  registry.add<v0::Proposal>();
  registry.add<v4::Proposal>();
}

}  // namespace mo::ops
