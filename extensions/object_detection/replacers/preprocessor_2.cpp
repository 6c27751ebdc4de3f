#include <fmt/format.h>

#include <algorithm>

#include "core/graph/copying.hpp"
#include "core/support/nearest.hpp"
#include "extensions/config/matching.hpp"
#include "extensions/object_detection/building.hpp"

namespace mo::object_detection {
namespace {

/// One operation with a constant, to be made again elsewhere.
struct Step {
  Op op;
  Tensor constant;
  bool constant_first;
};

std::optional<Step> step_of(const Node& node) {
  if (arithmetic_of(node) == Arithmetic::none) return std::nullopt;
  for (const bool first : {true, false})
    if (const Tensor* tensor = constant_of(node.input(first ? 0 : 1))) return Step{copy_op(node), *tensor, first};
  return std::nullopt;
}

Value data_of(const Node& node, const Step& step) { return node.input(step.constant_first ? 1 : 0); }

/// Operations with constants directly before `value`, in their order.
std::vector<Step> steps_before(Value value) {
  std::vector<Step> steps;
  for (int i = 0; i < 8 && value; ++i) {
    auto step = step_of(value.node());
    if (!step) break;
    value = data_of(value.node(), *step);
    steps.push_back(*std::move(step));
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::vector<Step> steps_behind(Value value) {
  std::vector<Step> steps;
  for (int i = 0; i < 8 && value.has_one_destination(); ++i) {
    const Node reader = value.get_destinations().front().node();
    auto step = step_of(reader);
    if (!step) break;
    steps.push_back(*std::move(step));
    value = reader.output();
  }
  return steps;
}

Node node_that_ends_with(const Graph& graph, std::string_view name) {
  for (const Node node : graph.nodes())
    if (node.name().ends_with(name)) return node;
  return {};
}

/// Arithmetic inside of the loop over the images: what is before the resizing, or else after it.
std::vector<Step> steps_in_loop(const Node& loop) {
  for (const Graph* body : loop.bodies()) {
    const Node start = node_that_ends_with(*body, "map/while/Preprocessor/unstack");
    const Node end = node_that_ends_with(*body, "map/while/Preprocessor/stack");
    std::vector<Step> steps = start ? steps_before(start.input(0)) : std::vector<Step>();
    if (steps.empty() && end && end.out_port_count() > 0) steps = steps_behind(end.output());
    if (!steps.empty()) return steps;
  }
  return {};
}

Expected<std::vector<Node>> named(const Graph& graph, const AttributeMap& custom, std::string_view key) {
  MO_ASSIGN(const std::vector<std::string> names, required_attribute<std::vector<std::string>>(custom, key));
  std::vector<Node> nodes;
  for (const std::string& name : names)
    if (const Node node = graph.find_node(name)) nodes.push_back(node);
  if (nodes.empty())
    return error("MO-CONFIG-0230", "the model has none of the nodes {}", fmt::join(names, ", "))
        .hint(
            "is this the configuration for the version of the Object "
            "Detection API that exported the model?");
  return nodes;
}

/// Object Detection API 2: the nodes from start to end resize images (each by itself in a loop, in newer versions).
/// Runtimes get images of the right size, so only arithmetic with constants stays.
Expected<bool> skip_resizing(Graph& graph, const AttributeMap& custom, PassContext& context) {
  MO_ASSIGN(const PipelineConfig pipeline, PipelineConfig::read(context, custom));
  MO_TRY(fix_image_size(graph, pipeline, context));
  MO_ASSIGN(const std::vector<Node> starts, named(graph, custom, "start_nodes"));
  MO_ASSIGN(const std::vector<Node> ends, named(graph, custom, "end_nodes"));
  const Value images = starts.front().input(0);
  if (!images || ends.front().out_port_count() == 0)
    return starts.front().error("MO-CONFIG-0213", "the preprocessing reads no image").hint("check the model");
  std::vector<Step> steps;
  int loops = 0;
  MO_ASSIGN(const std::vector<Node> between, config::nodes_between(starts, {ends.front()}));
  for (const Node& node : between)
    if (!node.bodies().empty() && ++loops == 1) steps = steps_in_loop(node);
  if (loops > 1)
    return starts.front()
        .error("MO-CONFIG-0213", "the preprocessing has {} loops, and one is expected", loops)
        .hint("check the model");
  Rewriter rewriter(graph);
  Value value = images;
  for (Step& step : steps) {
    const Value constant = rewriter.constant(step.constant);
    value = step.constant_first ? rewriter.create(std::move(step.op), constant, value)
                                : rewriter.create(std::move(step.op), value, constant);
  }
  rewriter.replace_uses(ends.front().output(), value);
  rewriter.erase(ends.front());
  if (rewriter.error()) return Error(*rewriter.error());
  return true;
}

}  // namespace

void register_preprocessor_2(PassRegistry& registry) {
  registry.add(config_replacement("ObjectDetectionAPIPreprocessor2Replacement")
                   .run_before({"ObjectDetectionAPISSDPostprocessorReplacement"})
                   .transform_graph(skip_resizing));
}

}  // namespace mo::object_detection
