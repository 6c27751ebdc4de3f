#include <algorithm>
#include <limits>

#include "extensions/object_detection/regions.hpp"
#include "extensions/object_detection/structure.hpp"
#include "ops/proposal.hpp"
#include "ops/soft_max.hpp"
#include "ops/transpose.hpp"

namespace mo::object_detection {
namespace {

Expected<std::int64_t> same(const PipelineConfig& pipeline, std::string_view vertical, std::string_view horizontal) {
  MO_ASSIGN(const std::int64_t a, pipeline.integer(vertical));
  MO_ASSIGN(const std::int64_t b, pipeline.integer(horizontal));
  if (a == b && a > 0) return a;
  return error("MO-CONFIG-0234", "{} is {} and {} is {}: the Proposal operation has one for both", vertical, a,
               horizontal, b)
      .hint("leave out the configuration to convert the model as it is");
}

Expected<double> same_scale(const PipelineConfig& pipeline, std::string_view vertical, std::string_view horizontal) {
  MO_ASSIGN(const double a, pipeline.real(vertical));
  MO_ASSIGN(const double b, pipeline.real(horizontal));
  if (a == b && a > 0) return a;
  return error("MO-CONFIG-0234", "{} is {} and {} is {}: the Proposal operation has one for both", vertical, a,
               horizontal, b)
      .hint("leave out the configuration to convert the model as it is");
}

Expected<ops::Proposal> proposal_of(const PipelineConfig& pipeline, const SubgraphMatch& match) {
  ops::Proposal op{.pre_nms_topn = std::numeric_limits<std::int32_t>::max(),
                   .min_size = 1,
                   .normalize = true,
                   .framework = "tensorflow"};
  MO_ASSIGN(op.post_nms_topn, most_proposals(pipeline));
  MO_ASSIGN(op.nms_thresh, pipeline.real("first_stage_nms_iou_threshold"));
  MO_ASSIGN(op.feat_stride, same(pipeline, "anchor_generator_height_stride", "anchor_generator_width_stride"));
  MO_ASSIGN(op.base_size, same(pipeline, "anchor_generator_height", "anchor_generator_width"));
  MO_ASSIGN(op.ratio, pipeline.reals("anchor_generator_aspect_ratios"));
  MO_ASSIGN(op.scale, pipeline.reals("anchor_generator_scales"));
  MO_ASSIGN(op.box_size_scale, same_scale(pipeline, "frcnn_variance_height", "frcnn_variance_width"));
  MO_ASSIGN(op.box_coordinate_scale, same_scale(pipeline, "frcnn_variance_y", "frcnn_variance_x"));
  if (op.ratio.empty() || op.scale.empty())
    return error("MO-CONFIG-0202",
                 "the pipeline configuration has no anchor_generator_aspect_ratios or anchor_generator_scales")
        .hint("add them to \"custom_attributes\" of the JSON configuration");
  op.clip_before_nms = match.custom_attribute("clip_before_nms", true);
  op.clip_after_nms = match.custom_attribute("clip_after_nms", false);
  if (const auto before = clips_before_suppression(match)) {
    op.clip_before_nms = *before;
    op.clip_after_nms = !*before;
  }
  return op;
}

/// The first stage: anchors, decoding and suppression -> Proposal. Its boxes,
/// in TensorFlow's form, take the place of output 0.
Expected<Value> boxes_of(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  MO_ASSIGN(const PipelineConfig pipeline, PipelineConfig::read(context, match.custom_attributes()));
  MO_ASSIGN(const ops::Proposal op, proposal_of(pipeline, match));
  const auto anchors = static_cast<std::int64_t>(op.ratio.size() * op.scale.size());
  MO_ASSIGN(const Value box_input, match.input(0));
  MO_ASSIGN(const Value score_input, match.input(1));
  MO_ASSIGN(const Value deltas, nearest_prediction(box_input, 4 * anchors, "boxes"));
  MO_ASSIGN(const Value logits, nearest_prediction(score_input, 2 * anchors, "objectness"));
  // Channels-last predictions have the scores of one anchor beside each other;
  // Proposal wants those of all backgrounds first.
  const Value scores = rw.create(ops::SoftMax{.axis = 4}, reshaped(rw, logits, {0, 0, 0, anchors, 2}));
  const Value by_kind = reshaped(rw, rw.create(ops::Transpose{}, scores, rw.integers({0, 1, 2, 4, 3})), {0, 0, 0, -1});
  const Value channels_first = rw.integers({0, 3, 1, 2});
  // The caller says how large the image was and how it was scaled, as with the
  // original.
  const Node info = rw.graph().create_parameter({ElementType::f32, {1, 3}}, rw.graph().unique_name("image_info"));
  const Node proposal =
      rw.create_node(Op(op), {rw.create(ops::Transpose{}, by_kind, channels_first),
                              rw.create(ops::Transpose{}, deltas, channels_first), reshaped(rw, info.output(), {-1})});
  return reshaped(rw, corners_of(rw, proposal.output()), {-1, op.post_nms_topn, 4});
}

/// The number of proposals of each image is what Proposal always makes. Without
/// this the second stage would depend on the first one's suppression, which no
/// start point of Mask R-CNN's configurations cuts off.
Expected<void> fix_counts(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  MO_ASSIGN(const PipelineConfig pipeline, PipelineConfig::read(context, match.custom_attributes()));
  MO_ASSIGN(const std::int64_t most, most_proposals(pipeline));
  const auto image = image_input(match.graph());
  std::int64_t images = 1;
  if (image)
    if (const PartialShape& shape = image->as<Parameter>()->shape;
        shape.has_rank() && shape.size() > 0 && shape[0].is_known())
      images = std::clamp<std::int64_t>(shape[0].value(), 1, 1 << 16);
  const std::vector<std::int32_t> counts(static_cast<std::size_t>(images), static_cast<std::int32_t>(most));
  for (const auto& [i, end] : match.outputs())
    if (end.node.name().find("BatchMultiClassNonMaxSuppression/") != std::string::npos)
      for (const InPort& reader : end.out_port().get_destinations())
        if (!reader.node().is<Result>() && !match.contains(reader.node()))
          rw.set_input(reader.node(), reader.index(), rw.constant(Tensor::vector(counts)));
  return {};
}

Replacement replace_proposal(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  auto boxes = boxes_of(match, rw, context);
  if (!boxes) return std::move(boxes).error();
  auto old = match.output_node(0);
  if (!old) return std::move(old).error();
  if (auto fixed = fix_counts(match, rw, context); !fixed) return std::move(fixed).error();
  // Other outputs of the first stage serve the second one until that is
  // replaced, too.
  rw.replace_uses(old->out_port(), *boxes);
  return {};
}

}  // namespace

void register_proposal(PassRegistry& registry) {
  registry.add(
      config_replacement("ObjectDetectionAPIProposalReplacement")
          .run_after({"ObjectDetectionAPIPreprocessorReplacement", "ObjectDetectionAPIPreprocessor2Replacement"})
          .generate(replace_proposal));
}

}  // namespace mo::object_detection
