#include "extensions/object_detection/building.hpp"

namespace mo::object_detection {
namespace {

/// Boxes, scores and priors, which the model gives as three outputs ->
/// DetectionOutput of them.
Expected<void> join_outputs(SubgraphMatch& match, Rewriter& rw) {
  const AttributeMap& custom = match.custom_attributes();
  MO_ASSIGN(const NodePort boxes, match.output_node(0));
  MO_ASSIGN(const NodePort scores, match.output_node(1));
  MO_ASSIGN(const NodePort priors, match.output_node(2));
  MO_ASSIGN(std::string code_type,
            attribute_or<std::string>(custom, "code_type", "caffe.PriorBoxParameter.CENTER_SIZE"));
  MO_ASSIGN(const double confidence, attribute_or(custom, "confidence_threshold", 0.01));
  MO_ASSIGN(const double overlap, attribute_or(custom, "nms_threshold", 0.45));
  MO_ASSIGN(const std::int64_t keep_top_k, attribute_or<std::int64_t>(custom, "keep_top_k", 200));
  MO_ASSIGN(const std::int64_t top_k, attribute_or<std::int64_t>(custom, "top_k", -1));
  const ops::DetectionOutput op{.top_k = top_k,
                                .keep_top_k = {keep_top_k},
                                .code_type = std::move(code_type),
                                .nms_threshold = overlap,
                                .confidence_threshold = confidence,
                                .normalized = true};
  for (const NodePort& place : {boxes, scores, priors})
    for (const InPort& reader : place.out_port().get_destinations())
      if (reader.node().is<Result>()) match.graph().erase(reader.node());
  const Value detections = rw.create(Op(op), rows(rw, boxes.out_port()), rows(rw, scores.out_port()),
                                     reshaped(rw, priors.out_port(), {1, 2, -1}));
  name_output(detections, "DetectionOutput_");
  match.graph().create_result(detections);
  return {};
}

Replacement replace_toolbox_detections(SubgraphMatch& match, Rewriter& rw) {
  if (auto done = join_outputs(match, rw); !done) return std::move(done).error();
  return {};
}

}  // namespace

void register_ssd_toolbox(PassRegistry& registry) {
  registry.add(config_replacement("SSDToolboxDetectionOutput").generate(replace_toolbox_detections));
}

}  // namespace mo::object_detection
