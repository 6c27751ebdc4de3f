#include "core/pass/framework_names.hpp"
#include "core/tensor/convert.hpp"
#include "extensions/object_detection/building.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"

namespace mo::object_detection {
namespace {

/// The overlap that the model's own suppression allows.
Expected<double> overlap_threshold(const SubgraphMatch& match) {
  for (const Node& node : match.matched_nodes())
    if (const std::string_view op = framework_op_name(node); op.starts_with("NonMaxSuppression")) {
      if (const Tensor* given = constant_of(node.input(3)); given && given->element_count() == 1)
        if (const auto numbers = to_reals(*given)) return numbers->front();
      if (op == "NonMaxSuppression") return node.attr<double>("iou_threshold").value_or(0.5);
    }
  return error("MO-CONFIG-0231", "the sub-graph has no NonMaxSuppression with a constant overlap threshold")
      .hint(
          "is this the configuration for the model? Give \"nms_threshold\" "
          "in \"custom_attributes\" otherwise");
}

/// What start point `i` makes: it joins the levels of the pyramid.
Expected<Value> joined(const SubgraphMatch& match, std::size_t i) {
  MO_ASSIGN(const NodePort start, match.single_input_node(i));
  return start.node.output();
}

/// Keras RetinaNet: decoding relative to the size of anchors in pixels,
/// clipping, suppression -> DetectionOutput.
Expected<Value> detections(SubgraphMatch& match, Rewriter& rw) {
  const AttributeMap& custom = match.custom_attributes();
  MO_ASSIGN(const Value deltas, joined(match, 0));
  MO_ASSIGN(const Value classes, joined(match, 1));
  MO_ASSIGN(const Value anchors, joined(match, 2));
  MO_ASSIGN(const std::vector<double> variance,
            attribute_or<std::vector<double>>(custom, "variance", {0.2, 0.2, 0.2, 0.2}));
  MO_ASSIGN(const double confidence, attribute_or(custom, "confidence_threshold", 0.05));
  MO_ASSIGN(const std::int64_t keep_top_k, attribute_or<std::int64_t>(custom, "keep_top_k", 300));
  MO_ASSIGN(const std::int64_t top_k, attribute_or<std::int64_t>(custom, "top_k", 6000));
  MO_ASSIGN(std::string code_type, attribute_or<std::string>(custom, "code_type", "caffe.PriorBoxParameter.CORNER"));
  double overlap = 0;
  if (custom.contains("nms_threshold")) {
    MO_ASSIGN(overlap, required_attribute<double>(custom, "nms_threshold"));
  } else {
    MO_ASSIGN(overlap, overlap_threshold(match));
  }
  if (variance.size() != 4)
    return error("MO-CONFIG-0204", "variance has {} values, expected 4", variance.size()).hint("correct \"variance\"");
  Value image;
  for (const Node& parameter : match.graph().parameters())
    if (const PartialShape& shape = parameter.as<Parameter>()->shape;
        !image && (!shape.has_rank() || shape.size() == 4))
      image = parameter.output();
  if (!image)
    return error("MO-CONFIG-0210", "the model has no input of four dimensions")
        .hint("leave out --input, which replaces the inputs");

  // Anchors are the same for all images: [N, A, 4] -> [A, 4], corners in pixels
  // -> relative to the image.
  const Value first = reshaped(rw, slice_along(rw, anchors, 0, 0, 1), {-1, 4});
  const Value size =
      rw.create(ops::Convert{.destination_type = ElementType::f32}, slice_along(rw, shape_of(rw, image), 0, 1, 3));
  const Value boxes = rw.create(ops::Divide{}, first, picked(rw, size, {1, 0, 1, 0}, 0));
  // TensorFlow's deltas are parts of the anchor's width and height, CORNER adds
  // them to its corners.
  const Value extent = rw.create(ops::Subtract{}, slice_along(rw, boxes, 1, 2, 4), slice_along(rw, boxes, 1, 0, 2));
  const Value scaled =
      rw.create(ops::Multiply{}, reshaped(rw, deltas, {0, -1, 4}), picked(rw, extent, {0, 1, 0, 1}, 1));
  // The model clips before it suppresses. No class is a background.
  const ops::DetectionOutput op{.background_label_id = 1000,
                                .top_k = top_k,
                                .keep_top_k = {keep_top_k},
                                .code_type = std::move(code_type),
                                .nms_threshold = overlap,
                                .confidence_threshold = confidence,
                                .clip_before_nms = true,
                                .normalized = true};
  return rw.create(Op(op), rows(rw, scaled), rows(rw, classes), priors_of(rw, boxes, variance));
}

Replacement replace_filtered_detections(SubgraphMatch& match, Rewriter& rw) {
  auto made = detections(match, rw);
  if (!made) return std::move(made).error();
  drop_inner_results(match);
  name_replacement(match, *made, "DetectionOutput");
  return Outputs{*made};
}

}  // namespace

void register_retina_net(PassRegistry& registry) {
  registry.add(config_replacement("RetinaNetFilteredDetectionsReplacement").generate(replace_filtered_detections));
}

}  // namespace mo::object_detection
