#include <limits>

#include "frontends/caffe/ops/support/layer_checks.hpp"

namespace mo::caffe {
namespace {

/// A size that is given once for both axes, or for each: the first as `path`, else `path_h` and `path_w`. 0: not given.
struct PerAxis {
  double height = 0;
  double width = 0;
};

Expected<PerAxis> per_axis(const Layer& layer, const std::string& both, const std::string& height, const std::string& width) {
  PerAxis made;
  MO_ASSIGN(const double one, finite_real(layer, both, 0));
  MO_ASSIGN(made.height, finite_real(layer, height, one));
  MO_ASSIGN(made.width, finite_real(layer, width, one));
  if (made.height >= 0 && made.width >= 0 && (made.height == 0) == (made.width == 0)) return made;
  return layer.error("MO-CAFFE-0210", "{} is {} and {} is {}", height, made.height, width, made.width)
      .hint("give both, above 0, or {}, or none of them", both);
}

/// What PriorBox and PriorBoxClustered share: variances, clipping, the offset, steps, and the image's size when it is not that of bottom 1.
Expected<AttributeMap> prior_attributes(const Layer& layer) {
  MO_TRY(expect_bottoms(layer, 2, 2));
  MO_ASSIGN(const PerAxis image, per_axis(layer, "prior_box_param.img_size", "prior_box_param.img_h", "prior_box_param.img_w"));
  MO_ASSIGN(const std::vector<double> variance, finite_reals(layer, "prior_box_param.variance"));
  MO_ASSIGN(const double offset, finite_real(layer, "prior_box_param.offset", 0.5));
  if (variance.size() > 1 && variance.size() != 4)
    return layer.error("MO-CAFFE-0211", "prior_box_param.variance has {} numbers", variance.size()).hint("give none, one or four variances");
  for (const double length : {image.height, image.width})
    if (length != std::floor(length) || length > static_cast<double>(kLargestSize))
      return layer.error("MO-CAFFE-0210", "the image is {} x {}", image.height, image.width).hint("its size is two whole numbers of pixels");
  AttributeMap attributes{
      {"variance", variance.empty() ? std::vector<double>{0.1} : variance}, {"clip", layer.flag("prior_box_param.clip", false)}, {"offset", offset}};
  if (image.height > 0)
    attributes.set("@image", std::vector<std::int64_t>{static_cast<std::int64_t>(image.height), static_cast<std::int64_t>(image.width)});
  return attributes;
}

Expected<Op> extract_prior_box(const FrameworkNode& node) {
  const Layer layer(node);
  MO_ASSIGN(AttributeMap attributes, prior_attributes(layer));
  MO_ASSIGN(const PerAxis step, per_axis(layer, "prior_box_param.step", "prior_box_param.step_h", "prior_box_param.step_w"));
  if (step.height != step.width)
    return layer.error("MO-CAFFE-0212", "the steps are {} and {}", step.height, step.width)
        .hint("the IR has one step for both axes: use PriorBoxClustered, which has two");
  // The IR's PriorBox without a step puts boxes into the middle of the cells, whatever the offset is.
  const double offset = layer.real("prior_box_param.offset", 0.5);
  if (step.height == 0 && offset != 0.5)
    return layer.error("MO-CAFFE-0212", "the offset is {} and there is no step", offset).hint("give the step: image size / size of the feature map");
  for (const std::string name : {"min_size", "max_size", "aspect_ratio", "fixed_size", "fixed_ratio", "density"}) {
    MO_ASSIGN(const std::vector<double> numbers, positive_reals(layer, "prior_box_param." + name));
    attributes.set(name, numbers);
  }
  const auto count = [&](std::string_view name) { return attributes.find(name)->get_if<std::vector<double>>()->size(); };
  if (count("min_size") == 0 && count("fixed_size") == 0)
    return layer.error("MO-CAFFE-0211", "prior_box_param has no min_size").hint("every prior box has a size; check the prototxt");
  if (count("max_size") != 0 && count("max_size") != count("min_size"))
    return layer.error("MO-CAFFE-0211", "prior_box_param has {} min_size and {} max_size", count("min_size"), count("max_size"))
        .hint("each max_size belongs to a min_size");
  attributes.set("flip", layer.flag("prior_box_param.flip", true));
  attributes.set("step", step.height);
  attributes.set("scale_all_sizes", layer.flag("prior_box_param.scale_all_sizes", true));
  return front_op("CaffePriorBox", std::move(attributes));
}

Expected<Op> extract_prior_box_clustered(const FrameworkNode& node) {
  const Layer layer(node);
  MO_ASSIGN(AttributeMap attributes, prior_attributes(layer));
  // Widths and heights are given, so ratios of sides mean nothing here.
  node.ignore({"prior_box_param.flip", "prior_box_param.aspect_ratio"});
  MO_ASSIGN(const PerAxis step, per_axis(layer, "prior_box_param.step", "prior_box_param.step_h", "prior_box_param.step_w"));
  MO_ASSIGN(const std::vector<double> width, positive_reals(layer, "prior_box_param.width"));
  MO_ASSIGN(const std::vector<double> height, positive_reals(layer, "prior_box_param.height"));
  if (width.empty() || width.size() != height.size())
    return layer.error("MO-CAFFE-0211", "prior_box_param has {} width and {} height", width.size(), height.size())
        .hint("each box has a width and a height");
  attributes.set("width", width);
  attributes.set("height", height);
  attributes.set("step_h", step.height);
  attributes.set("step_w", step.width);
  return front_op("CaffePriorBoxClustered", std::move(attributes));
}

/// Bottoms: box codes, scores, priors, and for a refined detection scores and codes of the first stage.
Expected<Op> extract_detection_output(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3, 5));
  if (layer.bottoms() == 4)
    return layer.error("MO-CAFFE-0200", "the layer has 4 bottoms").hint("scores and boxes of a first stage are given together: 3 or 5 bottoms");
  // What is done with images of the results has no effect on them.
  for (const std::string& name : node.unread_attributes())
    if (name.starts_with("detection_output_param.save_output_param.")) node.ignore({name});
  node.ignore({"detection_output_param.visualize", "detection_output_param.visualize_threshold", "detection_output_param.save_file"});
  const std::string code = layer.text("detection_output_param.code_type", "CORNER", {"", "CORNER", "CENTER_SIZE", "CORNER_SIZE"});
  if (code != "CORNER" && code != "CENTER_SIZE")
    return layer.error("MO-CAFFE-0213", "detection_output_param.code_type is {}", code).hint("the IR knows CORNER and CENTER_SIZE");
  MO_ASSIGN(const double eta, finite_real(layer, "detection_output_param.nms_param.eta", 1));
  if (eta != 1)
    return layer.error("MO-CAFFE-0214", "detection_output_param.nms_param.eta is {}", eta)
        .hint("the IR has no threshold that adapts itself; set eta to 1");
  MO_ASSIGN(const double overlap, finite_real(layer, "detection_output_param.nms_param.nms_threshold", 0.3));
  MO_ASSIGN(const std::int64_t top_k, integer_in(layer, "detection_output_param.nms_param.top_k", -1, -1, kLargestSize));
  MO_ASSIGN(const std::int64_t keep_top_k, integer_in(layer, "detection_output_param.keep_top_k", -1, -1, kLargestSize));
  MO_ASSIGN(const std::int64_t classes, integer_in(layer, "detection_output_param.num_classes", 0, 1, kLargestSize));
  // Caffe: without a threshold every score counts.
  constexpr double kAnyScore = std::numeric_limits<float>::lowest();
  MO_ASSIGN(const double score, finite_real(layer, "detection_output_param.confidence_threshold", kAnyScore));
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "detection_output_param.input_height", -1, -1, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "detection_output_param.input_width", -1, -1, kLargestSize));
  MO_ASSIGN(const double objectness, finite_real(layer, "detection_output_param.objectness_score", 0.01));
  const bool normalized = layer.flag("detection_output_param.normalized", true);
  if (!normalized && (height < 1 || width < 1))
    return layer.error("MO-CAFFE-0213", "boxes are in pixels of an image of {} x {}", height, width).hint("give input_height and input_width");
  return front_op("CaffeDetectionOutput", {{"num_classes", classes},
                                           {"background_label_id", layer.integer("detection_output_param.background_label_id", 0)},
                                           {"top_k", top_k == 0 ? -1 : top_k},
                                           {"variance_encoded_in_target", layer.flag("detection_output_param.variance_encoded_in_target", false)},
                                           {"keep_top_k", std::vector<std::int64_t>{keep_top_k == 0 ? -1 : keep_top_k}},
                                           {"code_type", "caffe.PriorBoxParameter." + code},
                                           {"share_location", layer.flag("detection_output_param.share_location", true)},
                                           {"nms_threshold", overlap},
                                           {"confidence_threshold", score},
                                           {"clip_after_nms", layer.flag("detection_output_param.clip_after_nms", false)},
                                           {"clip_before_nms", layer.flag("detection_output_param.clip_before_nms", false)},
                                           {"decrease_label_id", layer.flag("detection_output_param.decrease_label_id", false)},
                                           {"normalized", normalized},
                                           {"input_height", std::max<std::int64_t>(height, 1)},
                                           {"input_width", std::max<std::int64_t>(width, 1)},
                                           {"objectness_score", layer.bottoms() == 5 ? objectness : 0.0}});
}

/// The last layer of the YOLO forks decodes and suppresses boxes; forks differ in how.
Expected<Op> refuse_yolo_detection(const FrameworkNode& node) {
  return node.error("MO-CAFFE-0215", "the IR has no layer that decodes and selects the boxes of YOLO")
      .hint("end the model in front of '{}': name its bottoms with --output, and let the application decode them", node.name());
}

}  // namespace

/// Prior boxes and the last layers of detectors.
void register_detection(OperatorTable& table) {
  table.extract("PriorBox", extract_prior_box);
  table.extract("PriorBoxClustered", extract_prior_box_clustered);
  table.extract("DetectionOutput", extract_detection_output);
  for (const char* type : {"YoloDetectionOutput", "Yolov3DetectionOutput"}) table.refuse(type, refuse_yolo_detection);
}

}  // namespace mo::caffe
