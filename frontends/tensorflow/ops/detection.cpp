#include "core/registry/operator_table.hpp"
#include "ops/gather_tree.hpp"

namespace mo::tensorflow {
namespace {

/// `version`: 1 to 5, as in the name of the op.
Expected<Op> non_max_suppression(const FrameworkNode& node, std::int64_t version) {
  AttributeMap attributes{{"version", version}, {"type", node.attr("T", ElementType::f32)}};
  if (version == 1) attributes.set("iou_threshold", node.attr("iou_threshold", 0.5));
  if (version >= 4) attributes.set("pad", node.attr("pad_to_max_output_size", false));
  node.declare_outputs(version < 4 ? 1 : version == 4 ? 2 : 3);
  return front_op("TfNonMaxSuppression", std::move(attributes));
}

}  // namespace

void register_detection(OperatorTable& table) {
  table.extract("NonMaxSuppression", [](const FrameworkNode& node) { return non_max_suppression(node, 1); });
  table.extract("NonMaxSuppressionV2", [](const FrameworkNode& node) { return non_max_suppression(node, 2); });
  table.extract("NonMaxSuppressionV3", [](const FrameworkNode& node) { return non_max_suppression(node, 3); });
  table.extract("NonMaxSuppressionV4", [](const FrameworkNode& node) { return non_max_suppression(node, 4); });
  table.extract("NonMaxSuppressionV5", [](const FrameworkNode& node) { return non_max_suppression(node, 5); });
  table.extract("CombinedNonMaxSuppression", [](const FrameworkNode& node) -> Expected<Op> {
    node.declare_outputs(4);
    return front_op("TfCombinedNonMaxSuppression",
                    {{"pad_per_class", node.attr("pad_per_class", false)}, {"clip_boxes", node.attr("clip_boxes", true)}});
  });
  table.extract("CropAndResize", [](const FrameworkNode& node) -> Expected<Op> {
    const std::string method = node.attr("method", "bilinear");
    if (method != "bilinear" && method != "nearest")
      return node.error("MO-TF-0683", "method is '{}'", method).hint("TensorFlow knows bilinear and nearest");
    return front_op("TfCropAndResize",
                    {{"method", method}, {"extrapolation_value", node.attr("extrapolation_value", 0.0)}, {"type", node.required<ElementType>("T")}});
  });
  for (const char* op : {"GatherTree", "Addons>GatherTree"}) table.extract(op, [](const FrameworkNode&) -> Expected<Op> { return ops::GatherTree{}; });
}

}  // namespace mo::tensorflow
