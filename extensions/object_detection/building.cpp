#include "extensions/object_detection/building.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/pass/framework_names.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/prior_box.hpp"
#include "ops/reshape.hpp"
#include "ops/soft_max.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::object_detection {
namespace {

struct ImageSize {
  std::int64_t height;
  std::int64_t width;
};

constexpr std::int64_t kMostPixels = 1 << 16;

Expected<std::int64_t> side(const PipelineConfig& pipeline, std::string_view key) {
  MO_ASSIGN(const std::int64_t value, pipeline.integer(key));
  if (value > 0 && value <= kMostPixels) return value;
  return error("MO-CONFIG-0204", "{} is {}, which is not a valid image size", key, value)
      .hint("correct the pipeline configuration");
}

/// Object Detection API, resize_to_range: the short side becomes `shortest`,
/// unless the long one gets longer than `longest` then.
ImageSize keep_ratio(ImageSize image, std::int64_t shortest, std::int64_t longest) {
  const double ratio =
      std::min(static_cast<double>(shortest) / static_cast<double>(std::min(image.height, image.width)),
               static_cast<double>(longest) / static_cast<double>(std::max(image.height, image.width)));
  return {std::lround(static_cast<double>(image.height) * ratio),
          std::lround(static_cast<double>(image.width) * ratio)};
}

/// What the resizer makes of images; of images of the given size, when that is
/// known.
Expected<ImageSize> resized(const PipelineConfig& pipeline, std::optional<ImageSize> image) {
  if (pipeline.has("resizer_image_height")) {
    MO_ASSIGN(const std::int64_t height, side(pipeline, "resizer_image_height"));
    MO_ASSIGN(const std::int64_t width, side(pipeline, "resizer_image_width"));
    return image ? *image : ImageSize{height, width};
  }
  if (pipeline.has("resizer_min_dimension")) {
    MO_ASSIGN(const std::int64_t shortest, side(pipeline, "resizer_min_dimension"));
    MO_ASSIGN(const std::int64_t longest, side(pipeline, "resizer_max_dimension"));
    MO_ASSIGN(const bool pad, pipeline.boolean("pad_to_max_dimension"));
    if (pad) return ImageSize{longest, longest};
    return image ? keep_ratio(*image, shortest, longest) : ImageSize{shortest, shortest};
  }
  return error("MO-CONFIG-0211", "the pipeline configuration does not define the size to which images are resized")
      .hint(
          "it has neither fixed_shape_resizer nor keep_aspect_ratio_resizer: "
          "add \"resizer_image_height\" and \"resizer_image_width\" to "
          "\"custom_attributes\" of the JSON configuration");
}

}  // namespace

const Tensor* constant_of(Value value) {
  constexpr int kMostSteps = 64;  // a cycle, which only a broken model has, ends the search
  for (int step = 0; step < kMostSteps && value; ++step) {
    if (const Tensor* tensor = value.data().value()) return tensor;
    const Node node = value.node();
    const std::string_view op = framework_op_name(node);
    // A graph that was only read, of which nothing is extracted yet.
    if (op == "Const") {
      const AttributeValue* held = node.find_attribute("value");
      return held ? held->get_if<Tensor>() : nullptr;
    }
    if (!node.is<ops::Identity>() && op != "Identity" && op != "ReadVariableOp") return nullptr;
    value = node.input(0);
  }
  return nullptr;
}

Arithmetic arithmetic_of(const Node& node) {
  const std::string_view op = framework_op_name(node);
  if (node.is<ops::Add>() || op == "Add" || op == "AddV2" || op == "BiasAdd") return Arithmetic::add;
  if (node.is<ops::Subtract>() || op == "Sub") return Arithmetic::subtract;
  if (node.is<ops::Multiply>() || op == "Mul") return Arithmetic::multiply;
  if (node.is<ops::Divide>() || op == "RealDiv" || op == "Div") return Arithmetic::divide;
  return Arithmetic::none;
}

Expected<AttributeList> required_list(const AttributeMap& custom, std::string_view name) {
  MO_ASSIGN(const AttributeValue value, required_attribute<AttributeValue>(custom, name));
  if (const auto* list = value.get_if<AttributeList>()) return *list;
  return error("MO-CONFIG-0204", "{} is {}, expected a list of lists", name, value.kind_name())
      .hint("correct \"custom_attributes\" of the JSON configuration");
}

Value reshaped(Rewriter& rw, const Value& x, const std::vector<std::int64_t>& shape) {
  return rw.create(ops::Reshape{.special_zero = true}, x, rw.integers(shape));
}

Value picked(Rewriter& rw, const Value& x, const std::vector<std::int64_t>& order, std::int64_t axis) {
  return rw.create(ops::Gather{}, x, rw.integers(order), rw.scalar<std::int64_t>(axis));
}

Value priors_of(Rewriter& rw, const Value& boxes, const std::vector<double>& variances) {
  const std::vector<float> row(variances.begin(), variances.end());
  const Value all = rw.create(ops::Broadcast{}, rw.constant(Tensor::vector(row)), shape_of(rw, boxes));
  return rw.create(ops::Concat{.axis = 1}, reshaped(rw, boxes, {1, 1, -1}), reshaped(rw, all, {1, 1, -1}));
}

Value clustered_priors(Rewriter& rw, const Value& features, const Value& image, std::vector<double> widths,
                       std::vector<double> heights, const std::vector<double>& variances) {
  const auto height_and_width = [&](const Value& x) { return slice_along(rw, shape_of(rw, x), 0, 1, 3); };
  const ops::PriorBoxClustered op{
      .width = std::move(widths), .height = std::move(heights), .clip = false, .offset = 0.5, .variance = variances};
  return rw.create(ops::Unsqueeze{}, rw.create(Op(op), height_and_width(features), height_and_width(image)),
                   rw.integers({0}));
}

Expected<ops::DetectionOutput> detection_output(const PipelineConfig& pipeline, const AttributeMap& custom) {
  MO_ASSIGN(const double score_threshold, pipeline.real("postprocessing_score_threshold"));
  MO_ASSIGN(const double iou_threshold, pipeline.real("postprocessing_iou_threshold"));
  MO_ASSIGN(const std::int64_t most_of_class, pipeline.integer("postprocessing_max_detections_per_class"));
  MO_ASSIGN(const std::int64_t most, pipeline.integer("postprocessing_max_total_detections"));
  // TensorFlow limits what is left of a class, top_k what suppression looks at. With no more in total than of a class
  // the limit has no effect.
  MO_ASSIGN(const std::int64_t top_k,
            attribute_or<std::int64_t>(custom, "top_k", most_of_class >= most ? -1 : most_of_class));
  MO_ASSIGN(std::string code_type,
            attribute_or<std::string>(custom, "code_type", "caffe.PriorBoxParameter.CENTER_SIZE"));
  MO_ASSIGN(const bool before, attribute_or(custom, "clip_before_nms", false));
  MO_ASSIGN(const bool after, attribute_or(custom, "clip_after_nms", false));
  MO_ASSIGN(const std::int64_t background, attribute_or<std::int64_t>(custom, "background_label_id", 0));
  if (most < 1)
    return error("MO-CONFIG-0204", "postprocessing_max_total_detections is {}", most)
        .hint("correct the pipeline configuration");
  return ops::DetectionOutput{.background_label_id = background,
                              .top_k = top_k,
                              .keep_top_k = {most},
                              .code_type = std::move(code_type),
                              .nms_threshold = iou_threshold,
                              .confidence_threshold = score_threshold,
                              .clip_after_nms = after,
                              .clip_before_nms = before,
                              .normalized = true};
}

void name_output(const Value& output, std::string_view name) {
  const Node node = output.node();
  node.set_name(node.graph().unique_name(name));
  output.data().clear_tensor_names();
  output.data().add_tensor_name(node.name());
  output.data().add_tensor_name(fmt::format("{}:{}", node.name(), output.index()));
}

void name_replacement(const SubgraphMatch& match, const Value& output, std::string_view name) {
  for (const auto& [i, place] : match.outputs())
    if (place.node.alive()) place.out_port().data().clear_tensor_names();
  name_output(output, name);
}

void drop_inner_results(const SubgraphMatch& match) {
  for (const Node& node : match.matched_nodes())
    for (const OutPort& port : node.out_ports()) {
      const bool is_output = std::any_of(match.outputs().begin(), match.outputs().end(),
                                         [&](const auto& output) { return output.second.out_port() == port; });
      if (is_output) continue;
      for (const InPort& reader : port.get_destinations())
        if (reader.node().is<Result>()) match.graph().erase(reader.node());
    }
}

Expected<Value> named_output(const Graph& graph, const std::string& name) {
  const Node node = graph.find_node(name);
  if (node && node.out_port_count() > 0) return node.output();
  return error("MO-CONFIG-0230", "the model has no node '{}'", name)
      .hint("names of nodes belong to one export of a model: correct \"custom_attributes\" of the JSON configuration");
}

Expected<Node> image_input(Graph& graph) {
  for (const std::string_view name : {"input_tensor", "image_tensor"})
    for (const Node& parameter : graph.parameters())
      if (parameter.name() == name) return parameter;
  return error("MO-CONFIG-0210", "the model has no input \"image_tensor\" or \"input_tensor\"")
      .hint("leave out --input, which replaces the inputs; give sizes with --input_shape alone");
}

Expected<void> fix_image_size(Graph& graph, const PipelineConfig& pipeline, PassContext& context) {
  MO_ASSIGN(const Node input, image_input(graph));
  auto* parameter = input.as<Parameter>();
  PartialShape shape = parameter->shape.has_rank() ? parameter->shape : PartialShape::of_rank(4);
  if (shape.size() != 4)
    return input.error("MO-CONFIG-0211", "the image input has {} dimensions, expected 4", shape.size())
        .hint("give the shape [N,H,W,C] with --input_shape");
  std::optional<ImageSize> given;
  if (shape[1].is_known() && shape[2].is_known() && shape[1].value() > 0 && shape[2].value() > 0)
    given = {shape[1].value(), shape[2].value()};
  MO_ASSIGN(const ImageSize size, resized(pipeline, given));
  if (given && (given->height != size.height || given->width != size.width))
    context.diagnostics.report(input
                                   .warning("MO-CONFIG-0212",
                                            "images of {} x {} pixels are resized to {} x {} by the "
                                            "pipeline, which becomes the size of the input",
                                            given->height, given->width, size.height, size.width)
                                   .hint("give images of that size to the runtime"));
  if (!shape[0].is_known()) shape[0] = 1;
  shape[1] = size.height;
  shape[2] = size.width;
  parameter->shape = std::move(shape);
  return {};
}

}  // namespace mo::object_detection
