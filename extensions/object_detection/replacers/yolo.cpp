#include <fmt/format.h>

#include <algorithm>

#include "core/pass/framework_names.hpp"
#include "extensions/config/model_layout.hpp"
#include "extensions/object_detection/yolo_heads.hpp"
#include "ops/transpose.hpp"

namespace mo::object_detection {
namespace {

/// Whether the data of a convolution, or of a node that was extracted with a layout, has its channels at the end;
/// nothing for other nodes.
std::optional<bool> has_channels_last(const Node& node) {
  if (const auto layout = node.attr<std::string>("layout")) return *layout == "channels_last";
  if (const auto format = node.attr<std::string>("data_format")) return !format->starts_with("NC");
  const std::string_view op = framework_op_name(node);
  // what the operators do by default
  if (op == "Conv2D" || op == "DepthwiseConv2dNative" || op == "_FusedConv2D") return true;
  return std::nullopt;
}

/// Whether the convolution that the tensor comes from has its channels at the
/// end; TensorFlow's usually have.
bool is_channels_last(const Value& value) {
  std::vector<Node> open = {value.node()};
  std::vector<Node> seen = open;
  for (std::size_t i = 0; i < open.size() && i < 1000; ++i) {
    const Node node = open[i];
    if (const auto last = has_channels_last(node)) return *last;
    for (std::size_t k = 0; k < node.in_port_count(); ++k)
      if (const Value source = node.input(k);
          source && std::find(seen.begin(), seen.end(), source.node()) == seen.end()) {
        open.push_back(source.node());
        seen.push_back(source.node());
      }
  }
  return config::model_layout(value.node()) == DataLayout::channels_last;
}

/// The connected layer that a head is the output of, when there is one after the last convolution: it has no places
/// that regions could lie at.
Node connected_layer(Value value) {
  for (int step = 0; step < 8 && value; ++step) {
    const Node node = value.node();
    if (framework_op_name(node) == "MatMul") return node;  // of two dimensions only
    // A bias has a data format, too, whatever it is added to.
    if (node.in_port_count() == 0 || (framework_op_name(node) != "BiasAdd" && has_channels_last(node))) return {};
    value = constant_of(node.input(0)) && node.in_port_count() > 1 ? node.input(1) : node.input(0);
  }
  return {};
}

/// RegionYolo of a head; it wants channels first. Its name begins with that of the head.
Value region(Rewriter& rw, const Value& head, const ops::RegionYolo& op) {
  const Value made =
      rw.create(Op(op), is_channels_last(head) ? rw.create(ops::Transpose{}, head, rw.integers({0, 3, 1, 2})) : head);
  name_output(made, fmt::format("{}/YoloRegion", head.node().name()));
  return made;
}

/// YOLO v1 and v2: every output of the model -> RegionYolo of it.
Expected<bool> yolo(Graph& graph, const AttributeMap& custom, PassContext&) {
  MO_ASSIGN(const std::vector<YoloHead> heads, output_heads(graph, custom));
  for (const YoloHead& head : heads) {
    if (const Node layer = connected_layer(head.tensor))
      return layer.error("MO-CONFIG-0236", "the model ends with a connected layer, but regions need a feature map")
          .hint("leave out the configuration: an application reads the boxes of this output as it is");
    MO_TRY(check_head(head));
  }
  Rewriter rewriter(graph);
  for (const Node& result : graph.results())
    // one for all
    if (const Value head = result.input(0)) rewriter.set_input(result, 0, region(rewriter, head, heads.front().region));
  if (rewriter.error()) return Error(*rewriter.error());
  return rewriter.has_changed();
}

/// YOLO v3: what enters the nodes at "entry_points" -> RegionYolo with the mask
/// of its scale; these are the only outputs.
Expected<bool> yolo_v3(Graph& graph, const AttributeMap& custom, PassContext&) {
  MO_ASSIGN(const std::vector<YoloHead> heads, entry_heads(graph, custom));
  for (const YoloHead& head : heads) MO_TRY(check_head(head));
  Rewriter rewriter(graph);
  const std::vector<Node> old = graph.results();
  for (const YoloHead& head : heads) graph.create_result(region(rewriter, head.tensor, head.region));
  for (const Node& result : old) {
    const Value source = result.input(0);
    graph.erase(result);
    if (source) erase_if_dead(source.node());
  }
  if (rewriter.error()) return Error(*rewriter.error());
  return true;
}

}  // namespace

void register_yolo(PassRegistry& registry) {
  registry.add(config_replacement("TFYOLO").transform_graph(yolo));
  registry.add(config_replacement("TFYOLOV3").transform_graph(yolo_v3));
}

}  // namespace mo::object_detection
