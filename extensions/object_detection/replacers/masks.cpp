#include "core/graph/copying.hpp"
#include "core/pass/framework_names.hpp"
#include "extensions/object_detection/building.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::object_detection {
namespace {

/// Mask R-CNN crops the features a second time, at the detections: the crop
/// reads the boxes of DetectionOutput then.
Expected<Value> second_crop(SubgraphMatch& match, Rewriter& rw) {
  Node crop;
  for (const Node& node : match.matched_nodes())
    if (!crop && framework_op_name(node) == "CropAndResize") crop = node;
  if (!crop)
    return error("MO-CONFIG-0235", "the sub-graph has no CropAndResize")
        .hint("is this the configuration for the version of the model?");
  std::vector<Node> found;
  for (auto [node, op] : match.graph().each<ops::DetectionOutput>()) found.push_back(node);
  if (found.size() != 1)
    return error("MO-CONFIG-0233", "the model has {} DetectionOutput operations, expected one", found.size())
        .hint(
            "the second stage is replaced by "
            "ObjectDetectionAPIDetectionOutputReplacement: check that the "
            "configuration has it, and that it matched");
  const Value detections = found.front().output();
  for (const InPort& reader : detections.get_destinations())
    if (reader.node().is<Result>()) match.graph().erase(reader.node());
  const Value table = reshaped(rw, detections, {-1, 7});
  name_output(table, "reshape_do_2d");
  match.graph().create_result(table);
  // image, label, score, x1, y1, x2, y2; rows after the last detection have image -1.
  const Value boxes = swapped_coordinates(rw, slice_along(rw, table, 1, 3, 7));
  const Value images = rw.create(ops::Maximum{}, reshaped(rw, slice_along(rw, table, 1, 0, 1), {-1}), rw.scalar(0.0F));
  const Value owners = rw.create(ops::Convert{.destination_type = ElementType::i32}, images);
  return rw.create(copy_op(crop), crop.input(0), boxes, owners, crop.input(3));
}

Replacement replace_second_crop(SubgraphMatch& match, Rewriter& rw) {
  auto made = second_crop(match, rw);
  if (!made) return std::move(made).error();
  return Outputs{*made};
}

/// Masks are logits in TensorFlow's graph: Results of tensors whose name begins
/// so get their sigmoid.
Expected<bool> add_sigmoid(Graph& graph, const AttributeMap& custom, PassContext&) {
  MO_ASSIGN(const std::string prefix, required_attribute<std::string>(custom, "masks_node_prefix_name"));
  Rewriter rewriter(graph);
  for (const Node& result : graph.results())
    if (const Value source = result.input(0); source && source.node().name().starts_with(prefix)) {
      const Value masks = rewriter.create(ops::Sigmoid{}, source);
      name_output(masks, "masks");
      rewriter.set_input(result, 0, masks);
    }
  if (rewriter.error()) return Error(*rewriter.error());
  return rewriter.has_changed();
}

}  // namespace

void register_masks(PassRegistry& registry) {
  registry.add(config_replacement("ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement")
                   .run_after({"ObjectDetectionAPIDetectionOutputReplacement"})
                   .generate(replace_second_crop));
  registry.add(config_replacement("ObjectDetectionAPIMaskRCNNSigmoidReplacement")
                   .run_after({"ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement"})
                   .transform_graph(add_sigmoid));
}

}  // namespace mo::object_detection
