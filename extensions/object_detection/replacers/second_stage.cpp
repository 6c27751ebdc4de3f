#include <unordered_set>

#include "core/pass/framework_names.hpp"
#include "extensions/object_detection/regions.hpp"
#include "extensions/object_detection/scores.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/pad.hpp"

namespace mo::object_detection {
namespace {

/// Results that were made of what the match computed, and those that the API always has: the number of detections may
/// come from elsewhere. What goes through another crop is a mask, which is computed of the new detections.
std::vector<Node> results_of(const SubgraphMatch& match) {
  std::vector<Node> open = match.matched_nodes();
  for (const char* name : {"detection_boxes", "detection_scores", "num_detections"})
    if (const Node node = match.graph().find_node(name); node && !match.contains(node)) open.push_back(node);
  std::unordered_set<std::uint32_t> seen;
  for (const Node& node : open) seen.insert(node.id().index);
  std::vector<Node> results;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Node node = open[i];
    if (node.is<Result>()) {
      results.push_back(node);
      continue;
    }
    const std::string_view op = framework_op_name(node);
    if (op == "CropAndResize" || op == "Shape") continue;  // the number of boxes is not a box
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations())
        if (seen.insert(reader.node().id().index).second) open.push_back(reader.node());
  }
  return results;
}

/// Box encodings relative to regions, class scores and regions ->
/// DetectionOutput(loc, conf, priors).
Expected<Value> detections(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  MO_ASSIGN(const PipelineConfig pipeline, PipelineConfig::read(context, match.custom_attributes()));
  MO_ASSIGN(const std::int64_t classes, pipeline.integer("num_classes"));
  MO_ASSIGN(const bool shared, pipeline.boolean("share_box_across_classes"));
  MO_ASSIGN(const std::vector<double> variances, pipeline.variances());
  MO_ASSIGN(const std::int64_t most, most_proposals(pipeline));
  MO_ASSIGN(const Value encodings, match.input(0));
  MO_ASSIGN(const Value regions, proposed_regions(match.graph()));
  MO_ASSIGN(ops::DetectionOutput op, detection_output(pipeline, match.custom_attributes()));
  op.variance_encoded_in_target = true;
  op.share_location = shared;

  set_clipping(op, match);
  MO_ASSIGN(const Value scores, detection_scores(match, 1, pipeline, rw));
  Value boxes = reshaped(rw, encodings, {-1, shared ? 1 : classes, 4});
  // Boxes of the background, which TensorFlow does not predict.
  if (!shared) boxes = rw.create(ops::Pad{}, boxes, rw.integers({0, 1, 0}), rw.integers({0, 0, 0}), rw.scalar(0.0F));
  const std::vector<float> factors(variances.begin(), variances.end());
  const Value scaled = rw.create(ops::Multiply{}, swapped_coordinates(rw, boxes), rw.constant(Tensor::vector(factors)));
  const Value priors = reshaped(rw, corners_of(rw, with_x_first(rw, regions)), {-1, 1, most * 4});
  return rw.create(Op(op), reshaped(rw, scaled, {-1, most * 4 * (shared ? 1 : classes + 1)}),
                   reshaped(rw, scores, {-1, most * (classes + 1)}), priors);
}

Replacement replace_second_stage(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  auto made = detections(match, rw, context);
  if (!made) return std::move(made).error();
  const std::vector<Node> old = results_of(match);
  for (const Node& result : old) {
    const Value source = result.input(0);
    match.graph().erase(result);
    if (source) erase_if_dead(source.node());
  }
  name_output(*made, "detection_output");
  match.graph().create_result(*made);
  return {};
}

}  // namespace

void register_second_stage(PassRegistry& registry) {
  registry.add(config_replacement("ObjectDetectionAPIDetectionOutputReplacement")
                   .run_after({"ObjectDetectionAPIProposalReplacement", "ObjectDetectionAPIPSROIPoolingReplacement"})
                   .generate(replace_second_stage));
}

}  // namespace mo::object_detection
