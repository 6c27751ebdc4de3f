#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "core/pass/framework_names.hpp"
#include "extensions/object_detection/building.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::object_detection {
namespace {

constexpr std::int64_t kMostScales = 64;
constexpr std::int64_t kHighestLevel = 30;

/// The nearest convolution that `value` leads to.
Node first_convolution(const Value& value) {
  std::vector<Node> open = {value.node()};
  std::unordered_set<NodeId> seen = {value.node().id()};
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const OutPort& port : Node(open[i]).out_ports())
      for (const InPort& reader : port.get_destinations()) {
        const Node node = reader.node();
        if (!seen.insert(node.id()).second) continue;
        if (framework_op_name(node) == "Conv2D" && reader.index() == 0) return node;
        open.push_back(node);
      }
  return {};
}

/// Resizing and padding of images goes: `input` feeds what the configuration calls the start of the normalisation,
/// whose end feeds the first convolution. The input gets the type of the tensor that it takes the place of.
Expected<void> cut_resizing(Graph& graph, const Node& input, const AttributeMap& custom, Rewriter& rw) {
  MO_ASSIGN(const std::string start_name, required_attribute<std::string>(custom, "preprocessing_input_node"));
  MO_ASSIGN(const std::string end_name, required_attribute<std::string>(custom, "preprocessing_output_node"));
  MO_ASSIGN(const Value start, named_output(graph, start_name));
  MO_ASSIGN(const Value end, named_output(graph, end_name));
  const Node convolution = first_convolution(end);
  if (!convolution)
    return end.node()
        .error("MO-CONFIG-0239", "no convolution reads the output of '{}'", end_name)
        .hint("\"preprocessing_output_node\" is the last node of the normalisation of images");
  if (const auto type = start.node().attr<ElementType>("T")) input.as<Parameter>()->element_type = *type;
  rw.replace_uses(start, input.output());
  rw.set_input(convolution, 0, end);
  return {};
}

/// One list of priors [1, 2, 4 * P] for the feature maps of all levels: sizes outside, ratios inside, as the model has
/// its boxes.
Expected<Value> level_priors(const Graph& graph, const Value& image, const AttributeMap& custom, Rewriter& rw) {
  MO_ASSIGN(const auto ratios, required_attribute<std::vector<double>>(custom, "aspect_ratios"));
  MO_ASSIGN(const auto variances, required_attribute<std::vector<double>>(custom, "variance"));
  MO_ASSIGN(const auto first_level, required_attribute<std::int64_t>(custom, "min_level"));
  MO_ASSIGN(const auto scales, required_attribute<std::int64_t>(custom, "num_scales"));
  MO_ASSIGN(const auto anchor_scale, required_attribute<double>(custom, "anchor_scale"));
  if (ratios.empty() || ratios.size() % 2 != 0 || variances.size() != 4 || first_level < 0 ||
      first_level > kHighestLevel || scales < 1 || scales > kMostScales)
    return error("MO-CONFIG-0204",
                 "{} aspect_ratios, {} values of variance, min_level {} and num_scales {} do not define anchors",
                 ratios.size(), variances.size(), first_level, scales)
        .hint("aspect_ratios are pairs of a width and a height, variance has 4 values");
  std::vector<Value> priors;
  for (std::int64_t level = first_level; level <= kHighestLevel; ++level) {
    const std::int64_t i = level - first_level;
    const Node head = graph.find_node(i == 0 ? std::string("box_net/box-predict/BiasAdd")
                                             : fmt::format("box_net/box-predict_{}/BiasAdd", i));
    if (!head) break;
    std::vector<double> widths;
    std::vector<double> heights;
    for (std::int64_t k = 0; k < scales; ++k)
      for (std::size_t r = 0; r < ratios.size(); r += 2) {
        const double size = std::exp2(static_cast<double>(level)) * anchor_scale *
                            std::exp2(static_cast<double>(k) / static_cast<double>(scales));
        widths.push_back(size * ratios[r]);
        heights.push_back(size * ratios[r + 1]);
      }
    priors.push_back(clustered_priors(rw, head.output(), image, std::move(widths), std::move(heights), variances));
  }
  if (priors.empty()) MO_TRY(named_output(graph, "box_net/box-predict/BiasAdd"));
  return priors.size() == 1 ? priors.front() : rw.create(ops::Concat{.axis = 2}, priors);
}

Expected<ops::DetectionOutput> efficient_detections(const AttributeMap& custom) {
  MO_ASSIGN(const auto classes, required_attribute<std::int64_t>(custom, "num_classes"));
  MO_ASSIGN(const auto overlap, required_attribute<double>(custom, "nms_threshold"));
  MO_ASSIGN(const auto confidence, required_attribute<double>(custom, "confidence_threshold"));
  MO_ASSIGN(const auto keep_top_k, attribute_or<std::int64_t>(custom, "keep_top_k", 100));
  MO_ASSIGN(const auto top_k, attribute_or<std::int64_t>(custom, "top_k", -1));
  return ops::DetectionOutput{.background_label_id = classes + 1,  // none: each score is that of an object
                              .top_k = top_k,
                              .keep_top_k = {keep_top_k},
                              .code_type = "caffe.PriorBoxParameter.CENTER_SIZE",
                              .nms_threshold = overlap,
                              .confidence_threshold = confidence,
                              .normalized = true};
}

/// EfficientDet of google/automl: images enter the normalisation as they are, boxes and scores of all levels ->
/// DetectionOutput, the only output. Labels count from 0.
Expected<bool> efficient_det(Graph& graph, const AttributeMap& custom, PassContext&) {
  const std::vector<Node> inputs = graph.parameters();
  if (inputs.empty())
    return error("MO-CONFIG-0210", "the model has no input").hint("is this the configuration for the model?");
  Rewriter rw(graph);
  MO_ASSIGN(const Value scores, named_output(graph, "concat"));
  MO_ASSIGN(const Value deltas, named_output(graph, "concat_1"));
  MO_ASSIGN(ops::DetectionOutput op, efficient_detections(custom));
  MO_TRY(cut_resizing(graph, inputs.front(), custom, rw));
  MO_ASSIGN(const Value priors, level_priors(graph, inputs.front().output(), custom, rw));
  const Value boxes = swapped_coordinates(rw, reshaped(rw, deltas, {0, -1, 4}));
  const Value found = rw.create(Op(op), rows(rw, boxes), rows(rw, rw.create(ops::Sigmoid{}, scores)), priors);
  const std::vector<Node> old = graph.results();
  graph.create_result(found);
  for (const Node& result : old) {
    const Value source = result.input(0);
    graph.erase(result);
    if (source) erase_if_dead(source.node());
  }
  name_output(found, "detections");
  if (rw.error()) return Error(*rw.error());
  return true;
}

}  // namespace

void register_automl_efficient_det(PassRegistry& registry) {
  registry.add(config_replacement("AutomlEfficientDet").transform_graph(efficient_det));
}

}  // namespace mo::object_detection
