#include <algorithm>
#include <cmath>
#include <limits>

#include "frontends/caffe/ops/support/layer_checks.hpp"
#include "frontends/caffe/ops/support/translate.hpp"
#include "ops/detection_output.hpp"
#include "ops/prior_box.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::caffe {
namespace {

/// A size that is given once for both axes, or for each: the first as `path`, else `path_h` and `path_w`. 0: not given.
struct PerAxis {
  double height = 0;
  double width = 0;
};

Expected<PerAxis> per_axis(const Layer& layer, const std::string& both, const std::string& height,
                           const std::string& width) {
  PerAxis made;
  MO_ASSIGN(const double one, finite_real(layer, both, 0));
  MO_ASSIGN(made.height, finite_real(layer, height, one));
  MO_ASSIGN(made.width, finite_real(layer, width, one));
  if (made.height >= 0 && made.width >= 0 && (made.height == 0) == (made.width == 0)) return made;
  return layer.error("MO-CAFFE-0210", "{} is {} and {} is {}", height, made.height, width, made.width)
      .hint("give both, above 0, or {}, or none of them", both);
}

/// What PriorBox and PriorBoxClustered share: variances, clipping and the offset. Gives the image's size, where it is
/// not that of bottom 1.
template <class T>
Expected<std::optional<std::vector<std::int64_t>>> read_prior_boxes(const Layer& layer, T& op) {
  MO_TRY(expect_bottoms(layer, 2, 2));
  MO_ASSIGN(const PerAxis image,
            per_axis(layer, "prior_box_param.img_size", "prior_box_param.img_h", "prior_box_param.img_w"));
  MO_ASSIGN(op.variance, finite_reals(layer, "prior_box_param.variance"));
  MO_ASSIGN(op.offset, finite_real(layer, "prior_box_param.offset", 0.5));
  op.clip = layer.flag("prior_box_param.clip", false);
  if (op.variance.size() > 1 && op.variance.size() != 4)
    return layer.error("MO-CAFFE-0211", "prior_box_param.variance has {} values", op.variance.size())
        .hint("give none, one or four variances");
  if (op.variance.empty()) op.variance = {0.1};
  for (const double length : {image.height, image.width})
    if (length != std::floor(length) || length > static_cast<double>(kLargestSize))
      return layer.error("MO-CAFFE-0210", "the image is {} x {}", image.height, image.width)
          .hint("its size is two integers, in pixels");
  std::optional<std::vector<std::int64_t>> size;
  if (image.height > 0)
    size = std::vector{static_cast<std::int64_t>(image.height), static_cast<std::int64_t>(image.width)};
  return size;
}

/// Height and width of an image [N, C, H, W].
Value image_size(Rewriter& rw, const Value& image) { return slice_along(rw, shape_of(rw, image), 0, 2, 4); }

/// PriorBox(map, image) -> [PriorBox(size of map, size of image)], since Caffe's result has a batch of one: [1, 2, 4 *
/// boxes]
Value prior_boxes(const Layer& layer, Rewriter& rw, Op op, const std::optional<std::vector<std::int64_t>>& image) {
  const Value size = image ? rw.integers(*image) : image_size(rw, layer.bottom(1));
  const Value boxes = rw.create(std::move(op), image_size(rw, layer.bottom(0)), size);
  return rw.create(ops::Unsqueeze{}, boxes, rw.integers({0}));
}

/// The boxes of PriorBox, in its order, as PriorBoxClustered, which has a step for each axis and an offset without one.
Expected<Op> as_clustered(const Layer& layer, const ops::PriorBox& op, const PerAxis& step) {
  if (!op.fixed_size.empty() || !op.density.empty() || !op.scale_all_sizes)
    return layer
        .error("MO-CAFFE-0212", "the steps are {} and {}, the offset is {}, and boxes have a density", step.height,
               step.width, op.offset)
        .hint("give one step for both axes: image size / size of the feature map");
  ops::PriorBoxClustered made{
      .clip = op.clip, .step_w = step.width, .step_h = step.height, .offset = op.offset, .variance = op.variance};
  const auto add = [&](double width, double height) {
    made.width.push_back(width);
    made.height.push_back(height);
  };
  // Caffe, PriorBoxLayer: duplicate ratios are left out; 1 is always included.
  std::vector<double> ratios = {1};
  const auto add_ratio = [&](double ratio) {
    if (std::none_of(ratios.begin(), ratios.end(), [&](double known) { return std::abs(ratio - known) < 1e-6; }))
      ratios.push_back(ratio);
  };
  for (const double ratio : op.aspect_ratio) {
    add_ratio(ratio);
    if (op.flip) add_ratio(1 / ratio);
  }
  for (std::size_t i = 0; i < op.min_size.size(); ++i) {
    add(op.min_size[i], op.min_size[i]);
    if (!op.max_size.empty()) {
      const double between = std::sqrt(op.min_size[i] * op.max_size[i]);
      add(between, between);
    }
    for (const double ratio : ratios)
      if (ratio != 1) add(op.min_size[i] * std::sqrt(ratio), op.min_size[i] / std::sqrt(ratio));
  }
  return Op(std::move(made));
}

Replacement prior_box(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  ops::PriorBox op;
  MO_ASSIGN(const auto image, read_prior_boxes(layer, op));
  MO_ASSIGN(const PerAxis step,
            per_axis(layer, "prior_box_param.step", "prior_box_param.step_h", "prior_box_param.step_w"));
  MO_ASSIGN(op.min_size, positive_reals(layer, "prior_box_param.min_size"));
  MO_ASSIGN(op.max_size, positive_reals(layer, "prior_box_param.max_size"));
  MO_ASSIGN(op.aspect_ratio, positive_reals(layer, "prior_box_param.aspect_ratio"));
  MO_ASSIGN(op.fixed_size, positive_reals(layer, "prior_box_param.fixed_size"));
  MO_ASSIGN(op.fixed_ratio, positive_reals(layer, "prior_box_param.fixed_ratio"));
  MO_ASSIGN(op.density, positive_reals(layer, "prior_box_param.density"));
  if (op.min_size.empty() && op.fixed_size.empty())
    return layer.error("MO-CAFFE-0211", "prior_box_param has no min_size")
        .hint("every prior box has a size; check the prototxt");
  if (!op.max_size.empty() && op.max_size.size() != op.min_size.size())
    return layer
        .error("MO-CAFFE-0211", "prior_box_param has {} min_size and {} max_size", op.min_size.size(),
               op.max_size.size())
        .hint("each max_size belongs to a min_size");
  op.flip = layer.flag("prior_box_param.flip", true);
  op.step = step.height;
  op.scale_all_sizes = layer.flag("prior_box_param.scale_all_sizes", true);
  // The IR's PriorBox has one step for both axes, and without one it puts boxes into the middle of the cells, whatever
  // the offset is.
  if (step.height != step.width || (step.height == 0 && op.offset != 0.5)) {
    MO_ASSIGN(Op clustered, as_clustered(layer, op, step));
    return prior_boxes(layer, rw, std::move(clustered), image);
  }
  return prior_boxes(layer, rw, std::move(op), image);
}

Replacement prior_box_clustered(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  ops::PriorBoxClustered op;
  MO_ASSIGN(const auto image, read_prior_boxes(layer, op));
  node.ignore({"prior_box_param.flip", "prior_box_param.aspect_ratio"},
              "of ratios of sides; widths and heights are given");
  MO_ASSIGN(const PerAxis step,
            per_axis(layer, "prior_box_param.step", "prior_box_param.step_h", "prior_box_param.step_w"));
  MO_ASSIGN(op.width, positive_reals(layer, "prior_box_param.width"));
  MO_ASSIGN(op.height, positive_reals(layer, "prior_box_param.height"));
  if (op.width.empty() || op.width.size() != op.height.size())
    return layer.error("MO-CAFFE-0211", "prior_box_param has {} width and {} height", op.width.size(), op.height.size())
        .hint("each box has a width and a height");
  op.step_h = step.height;
  op.step_w = step.width;
  return prior_boxes(layer, rw, std::move(op), image);
}

/// Bottoms: box codes, scores, priors, and for a refined detection scores and codes of the first stage. Caffe counts
/// elements, whatever their dimensions: box codes and scores become [N, elements], priors [N, 2, elements].
Replacement detection_output(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3, 5));
  if (layer.bottoms() == 4)
    return layer.error("MO-CAFFE-0200", "the layer has 4 bottoms")
        .hint("scores and boxes of a first stage are given together: 3 or 5 bottoms");
  node.ignore_if([](const std::string& name,
                    const AttributeValue&) { return name.starts_with("detection_output_param.save_output_param."); },
                 "files of the results that Caffe writes beside them");
  node.ignore({"detection_output_param.visualize", "detection_output_param.visualize_threshold",
               "detection_output_param.save_file"},
              "images of the results, which Caffe also writes");
  const std::string code =
      layer.text("detection_output_param.code_type", "CORNER", {"", "CORNER", "CENTER_SIZE", "CORNER_SIZE"});
  if (code != "CORNER" && code != "CENTER_SIZE")
    return layer.error("MO-CAFFE-0213", "detection_output_param.code_type is {}", code)
        .hint("the IR supports CORNER and CENTER_SIZE");
  MO_ASSIGN(const double eta, finite_real(layer, "detection_output_param.nms_param.eta", 1));
  if (eta != 1)
    return layer.error("MO-CAFFE-0214", "detection_output_param.nms_param.eta is {}", eta)
        .hint("the IR has no threshold that adapts itself; set eta to 1");
  MO_ASSIGN(const double overlap, finite_real(layer, "detection_output_param.nms_param.nms_threshold", 0.3));
  MO_ASSIGN(const std::int64_t top_k,
            integer_in(layer, "detection_output_param.nms_param.top_k", -1, -1, kLargestSize));
  MO_ASSIGN(const std::int64_t keep_top_k,
            integer_in(layer, "detection_output_param.keep_top_k", -1, -1, kLargestSize));
  MO_ASSIGN(const std::int64_t classes, integer_in(layer, "detection_output_param.num_classes", 0, 1, kLargestSize));
  // Caffe: without a threshold every score counts.
  constexpr double kAnyScore = std::numeric_limits<float>::lowest();
  MO_ASSIGN(const double score, finite_real(layer, "detection_output_param.confidence_threshold", kAnyScore));
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "detection_output_param.input_height", -1, -1, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "detection_output_param.input_width", -1, -1, kLargestSize));
  MO_ASSIGN(const double objectness, finite_real(layer, "detection_output_param.objectness_score", 0.01));
  const bool normalized = layer.flag("detection_output_param.normalized", true);
  if (!normalized && (height < 1 || width < 1))
    return layer.error("MO-CAFFE-0213", "boxes are in pixels of an image of {} x {}", height, width)
        .hint("give input_height and input_width");
  const ops::v0::DetectionOutput op{
      {.background_label_id = layer.integer("detection_output_param.background_label_id", 0),
       .top_k = top_k == 0 ? -1 : top_k,
       .variance_encoded_in_target = layer.flag("detection_output_param.variance_encoded_in_target", false),
       .keep_top_k = {keep_top_k == 0 ? -1 : keep_top_k},
       .code_type = "caffe.PriorBoxParameter." + code,
       .share_location = layer.flag("detection_output_param.share_location", true),
       .nms_threshold = overlap,
       .confidence_threshold = score,
       .clip_after_nms = layer.flag("detection_output_param.clip_after_nms", false),
       .clip_before_nms = layer.flag("detection_output_param.clip_before_nms", false),
       .decrease_label_id = layer.flag("detection_output_param.decrease_label_id", false),
       .normalized = normalized,
       .input_height = std::max<std::int64_t>(height, 1),
       .input_width = std::max<std::int64_t>(width, 1),
       .objectness_score = layer.bottoms() == 5 ? objectness : 0.0},
      classes};
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < layer.bottoms(); ++i) {
    const Value shape = i == 2 ? rw.integers({0, 0, -1}) : rw.integers({0, -1});
    inputs.push_back(rw.create(ops::Reshape{.special_zero = true}, layer.bottom(i), shape));
  }
  return rw.create(op, inputs);
}

/// The last layer of the YOLO forks decodes and suppresses boxes; forks differ in how.
Expected<Op> refuse_yolo_detection(const FrameworkNode& node) {
  return node.error("MO-CAFFE-0215", "the IR has no layer that decodes and selects the boxes of YOLO")
      .hint("end the model before '{}': name its bottoms with --output, and let the application decode them",
            node.name());
}

}  // namespace

/// Prior boxes and the last layers of detectors.
void register_detection(OperatorTable& table) {
  table.translate("PriorBox", prior_box);
  table.translate("PriorBoxClustered", prior_box_clustered);
  table.translate("DetectionOutput", detection_output);
  for (const char* type : {"YoloDetectionOutput", "Yolov3DetectionOutput"}) table.refuse(type, refuse_yolo_detection);
}

}  // namespace mo::caffe
