#include "extensions/object_detection/roi_pyramid.hpp"
#include "ops/convert.hpp"

namespace mo::object_detection {
namespace {

/// Features and regions as the op gives them, in the order of the regions that it reads.
Node extractor(Rewriter& rw, const RoiPyramid& pyramid, const Value& regions) {
  std::vector<Value> inputs = {regions};
  inputs.insert(inputs.end(), pyramid.levels.begin(), pyramid.levels.end());
  return rw.create_node(pyramid.op, inputs);
}

/// Readers of `old` read `by`. The node that made it goes with all that only it needed, unless something else of it is
/// read.
void put_in_place(Rewriter& rw, const Value& old, const Value& by, std::string_view name) {
  rw.replace_uses(old, by);
  if (!name.empty()) by.node().set_name(rw.graph().unique_name(name));
  erase_if_dead(old.node());
}

/// What the second stage of a Mask R-CNN or Faster R-CNN needs of its configuration; everything is found before
/// anything is changed.
struct SecondStage {
  RoiPyramid pyramid;               ///< of the proposals
  std::optional<RoiPyramid> masks;  ///< of the boxes that are found
  Value deltas;
  Value scores;
  std::vector<Value> results;  ///< boxes, labels, scores
  ops::ExperimentalDetectronDetectionOutput detection;
};

Expected<ops::ExperimentalDetectronDetectionOutput> detectron_output(const AttributeMap& custom) {
  ops::ExperimentalDetectronDetectionOutput op;
  MO_ASSIGN(op.score_threshold, attribute_or(custom, "score_threshold", op.score_threshold));
  MO_ASSIGN(op.nms_threshold, attribute_or(custom, "nms_threshold", op.nms_threshold));
  MO_ASSIGN(op.max_delta_log_wh, attribute_or(custom, "max_delta_log_wh", op.max_delta_log_wh));
  MO_ASSIGN(op.post_nms_count, attribute_or(custom, "post_nms_count", op.post_nms_count));
  MO_ASSIGN(op.max_detections_per_image, attribute_or(custom, "max_detections_per_image", op.max_detections_per_image));
  MO_ASSIGN(op.num_classes, attribute_or(custom, "num_classes", op.num_classes));
  MO_ASSIGN(op.deltas_weights, attribute_or(custom, "deltas_weights", op.deltas_weights));
  return op;
}

Expected<SecondStage> find_second_stage(const Graph& graph, const AttributeMap& custom) {
  const auto text = [&](std::string_view key) { return required_attribute<std::string>(custom, key); };
  SecondStage stage;
  MO_ASSIGN(const auto levels, required_attribute<std::vector<std::string>>(custom, "input_fpn_heads"));
  MO_ASSIGN(const auto results, required_attribute<std::vector<std::string>>(custom, "do_outputs"));
  if (results.size() != 3)
    return error("MO-CONFIG-0204", "do_outputs has {} names, expected those of boxes, labels and scores",
                 results.size())
        .hint("correct \"do_outputs\"");
  MO_ASSIGN(const std::string proposals, text("ROIFeatureExtractor2_input"));
  MO_ASSIGN(const std::string features, text("ROIFeatureExtractor2_output"));
  MO_ASSIGN(const std::string deltas, text("box_regressions_input_node"));
  MO_ASSIGN(const std::string scores, text("class_predicitons_node"));  // spelled so
  MO_ASSIGN(stage.pyramid, read_roi_pyramid(graph, proposals, features, levels));
  MO_ASSIGN(stage.deltas, named_output(graph, deltas));
  MO_ASSIGN(stage.scores, named_output(graph, scores));
  for (const std::string& name : results) {
    MO_ASSIGN(Value result, named_output(graph, name));
    stage.results.push_back(result);
  }
  if (custom.contains("ROIFeatureExtractor1_output")) {
    MO_ASSIGN(const std::string masks, text("ROIFeatureExtractor1_output"));
    MO_ASSIGN(stage.masks, read_roi_pyramid(graph, results[0], masks, levels));
  }
  MO_ASSIGN(stage.detection, detectron_output(custom));
  return stage;
}

/// Choice of levels, RoiAligns, decoding and suppression of a Mask R-CNN or Faster R-CNN -> the ops of Detectron. The
/// sizes of the image, which the model took from its only input, are those of a new one.
Expected<bool> mask_rcnn(Graph& graph, const AttributeMap& custom, PassContext&) {
  MO_ASSIGN(const SecondStage stage, find_second_stage(graph, custom));
  Rewriter rw(graph);
  const Node features = extractor(rw, stage.pyramid, stage.pyramid.regions);
  put_in_place(rw, stage.pyramid.features, features.output(), "ROIFeatureExtractor_2");
  const Value deltas = reshaped(rw, stage.deltas, {-1, 4 * stage.detection.num_classes});
  const Value image = graph.create_parameter({ElementType::f32, {1, 3}}, graph.unique_name("im_info")).output();
  image.data().add_tensor_name(image.node().name());
  const Node found = rw.create_node(stage.detection, {features.output(1), deltas, stage.scores, image});
  const Value labels = rw.create(ops::Convert{.destination_type = ElementType::i64}, found.output(1));
  found.set_name(graph.unique_name("DetectionOutput"));
  if (stage.masks) {
    const Node masks = extractor(rw, *stage.masks, found.output(0));
    put_in_place(rw, stage.masks->features, masks.output(), "ROIFeatureExtractor_1");
  }
  put_in_place(rw, stage.results[0], found.output(0), {});
  put_in_place(rw, stage.results[1], labels, {});
  put_in_place(rw, stage.results[2], found.output(2), {});
  if (rw.error()) return Error(*rw.error());
  return true;
}

/// A cascade of stages: the features of each -> the op of Detectron under the same name.
Expected<bool> person_detection(Graph& graph, const AttributeMap& custom, PassContext&) {
  MO_ASSIGN(const auto levels, required_attribute<std::vector<std::string>>(custom, "fpn_heads"));
  MO_ASSIGN(const auto regions, required_attribute<std::vector<std::string>>(custom, "ROI_feature_extractor_inputs"));
  MO_ASSIGN(const auto features, required_attribute<std::vector<std::string>>(custom, "ROI_feature_extractor_outputs"));
  if (regions.size() != features.size())
    return error("MO-CONFIG-0204", "there are {} inputs of extractors and {} outputs", regions.size(), features.size())
        .hint("give one of \"ROI_feature_extractor_outputs\" for each of \"ROI_feature_extractor_inputs\"");
  std::vector<RoiPyramid> stages;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    MO_ASSIGN(RoiPyramid stage, read_roi_pyramid(graph, regions[i], features[i], levels));
    stages.push_back(std::move(stage));
  }
  Rewriter rw(graph);
  for (const RoiPyramid& stage : stages)
    rw.replace(stage.features.node(), {extractor(rw, stage, stage.regions).output()});
  if (rw.error()) return Error(*rw.error());
  return rw.has_changed();
}

}  // namespace

void register_onnx_regions(PassRegistry& registry) {
  registry.add(config_replacement("ONNXMaskRCNNReplacement").transform_graph(mask_rcnn));
  registry.add(config_replacement("ONNXPersonDetectionCrossroadReplacement").transform_graph(person_detection));
}

}  // namespace mo::object_detection
