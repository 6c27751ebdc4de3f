#include "frontends/onnx/ops/support/openvino_domain.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/detection_output.hpp"
#include "ops/experimental_detectron.hpp"
#include "ops/prior_box.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

Diagnostic wrong_boxes(const FrameworkNode& node, const std::string& what) {
  return node.error("MO-ONNX-0480", "{}", what)
      .hint("the IR's operation of that name defines the attributes; export the model again with a newer exporter");
}

/// A length that is given for both axes, or for each: `name`, or `name`_h and `name`_w. 0: not given.
struct PerAxis {
  double height = 0;
  double width = 0;
};
PerAxis per_axis(const FrameworkNode& node, const std::string& name) {
  const auto both = node.attr(name, 0.0);
  return {node.attr(name + "_h", both), node.attr(name + "_w", both)};
}

/// What PriorBox and PriorBoxClustered share.
template <class T>
Expected<void> read_prior_boxes(const FrameworkNode& node, T& op) {
  MO_TRY(node.expect_inputs(2));
  op.clip = node.attr("clip", false);
  op.offset = node.attr("offset", 0.0);
  op.variance = node.attr("variance", Reals());
  if (op.variance.empty()) op.variance = {0.1};
  return {};
}

/// Height and width of an image [N, C, H, W].
Value image_size(Rewriter& rw, const Value& image) { return slice_along(rw, shape_of(rw, image), 0, 2, 4); }

/// PriorBox(map, image) -> [PriorBox(size of the map, size of the image)]: [1, 2, 4 * boxes]. `img_size` stands for the
/// size of the image.
Replacement prior_boxes(const FrameworkNode& node, Rewriter& rw, Op op) {
  const auto side = node.attr<std::int64_t>("img_size", 0);
  const auto height = node.attr<std::int64_t>("img_h", side);
  const auto width = node.attr<std::int64_t>("img_w", side);
  if (height < 0 || width < 0 || (height == 0) != (width == 0))
    return wrong_boxes(node, fmt::format("the image is {} x {}", height, width));
  node.ignore_input(1, "the image, whose size may be given by attributes");
  const Value image = height > 0 ? rw.integers({height, width}) : image_size(rw, node.input(1));
  const Value boxes = rw.create(std::move(op), image_size(rw, node.input(0)), image);
  return rw.create(ops::Unsqueeze{}, boxes, rw.integers({0}));
}

Replacement prior_box(const FrameworkNode& node, Rewriter& rw) {
  ops::PriorBox op;
  MO_TRY(read_prior_boxes(node, op));
  const PerAxis step = per_axis(node, "step");
  if (step.height != step.width)
    return wrong_boxes(node,
                       fmt::format("the steps are {} and {}, but there is one for both axes", step.height, step.width));
  op.step = step.height;
  op.min_size = node.attr("min_size", Reals());
  op.max_size = node.attr("max_size", Reals());
  op.aspect_ratio = node.attr("aspect_ratio", Reals());
  op.density = node.attr("density", Reals());
  op.fixed_ratio = node.attr("fixed_ratio", Reals());
  op.fixed_size = node.attr("fixed_size", Reals());
  op.flip = node.attr("flip", false);
  op.scale_all_sizes = node.attr("scale_all_sizes", true);
  op.min_max_aspect_ratios_order = node.attr("min_max_aspect_ratios_order", true);
  return prior_boxes(node, rw, std::move(op));
}

Replacement prior_box_clustered(const FrameworkNode& node, Rewriter& rw) {
  ops::PriorBoxClustered op;
  MO_TRY(read_prior_boxes(node, op));
  node.ignore({"flip"}, "of ratios of sides; widths and heights are given");
  const PerAxis step = per_axis(node, "step");
  op.step_h = step.height;
  op.step_w = step.width;
  op.width = node.attr("width", Reals());
  op.height = node.attr("height", Reals());
  if (op.width.empty() || op.width.size() != op.height.size())
    return wrong_boxes(node, fmt::format("there are {} widths and {} heights", op.width.size(), op.height.size()));
  return prior_boxes(node, rw, std::move(op));
}

/// One number, or a list with one.
Expected<Integers> number_or_list(const FrameworkNode& node, std::string_view name, std::int64_t fallback) {
  if (!node.has(name)) return Integers{fallback};
  if (node.node().attribute(name).get_if<std::int64_t>()) return Integers{node.attr<std::int64_t>(name, fallback)};
  return node.attr(name, Integers{fallback});
}

/// Inputs: box codes, scores, priors, and for a refined detection scores and codes of the first stage.
Expected<Op> detection_output(const FrameworkNode& node) {
  ops::DetectionOutput op;
  const std::string code = node.attr("code_type", "CORNER");
  constexpr std::string_view kPrefix = "caffe.PriorBoxParameter.";
  op.code_type = code.starts_with(kPrefix) ? code : std::string(kPrefix) + code;
  // the defaults of OpenVINO's own importer, here and below
  MO_ASSIGN(op.keep_top_k, number_or_list(node, "keep_top_k", 1));
  op.background_label_id = node.attr<std::int64_t>("background_label_id", 0);
  op.top_k = node.attr<std::int64_t>("top_k", -1);
  op.variance_encoded_in_target = node.attr("variance_encoded_in_target", false);
  op.share_location = node.attr("share_location", true);
  op.nms_threshold = node.attr("nms_threshold", 0.0);
  op.confidence_threshold = node.attr("confidence_threshold", 0.0);
  op.clip_after_nms = node.attr("clip_after_nms", false);
  op.clip_before_nms = node.attr("clip_before_nms", false);
  op.decrease_label_id = node.attr("decrease_label_id", false);
  op.normalized = node.attr("normalized", true);
  op.input_height = node.attr<std::int64_t>("input_height", 1);
  op.input_width = node.attr<std::int64_t>("input_width", 1);
  op.objectness_score = node.attr("objectness_score", 0.0);
  if (const auto eta = node.attr("eta", 1.0); eta != 1)
    return wrong_boxes(node, fmt::format("eta is {}, and the IR has no threshold that adapts itself", eta));
  // Otherwise the shapes tell how many classes there are.
  if (const auto classes = node.optional_attr<std::int64_t>("num_classes"))
    return ops::v0::DetectionOutput{op, *classes};
  return op;
}

/// An operator that the IR has with the same attributes and defaults: each is read as the type that the IR gives it.
template <class T>
void same_in_ir(OperatorTable& table, T op) {
  extract_openvino(table, std::string(T::id.type), [op](const FrameworkNode& node) -> Expected<Op> {
    T made = op;
    for_each_attribute<T>(
        [&](const auto& attribute) { made.*attribute.member = node.attr(attribute.name, op.*attribute.member); });
    return made;
  });
}

}  // namespace

/// Layers of detectors that the IR has as operations.
void register_openvino_detection(OperatorTable& table) {
  translate_openvino(table, "PriorBox", prior_box);
  translate_openvino(table, "PriorBoxClustered", prior_box_clustered);
  extract_openvino(table, "DetectionOutput", detection_output);
  same_in_ir(table, ops::ExperimentalDetectronDetectionOutput{});
  same_in_ir(table, ops::ExperimentalDetectronGenerateProposalsSingleImage{});
  same_in_ir(table, ops::ExperimentalDetectronPriorGridGenerator{});
  same_in_ir(table, ops::ExperimentalDetectronROIFeatureExtractor{});
  same_in_ir(table, ops::ExperimentalDetectronTopKROIs{.max_rois = 1000});
}

}  // namespace mo::onnx
