#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/pass/framework_names.hpp"
#include "extensions/object_detection/building.hpp"
#include "ops/region_yolo.hpp"
#include "ops/transpose.hpp"

namespace mo::object_detection {
namespace {

constexpr std::int64_t kMostRegions = 1000;

/// Whether the data of a convolution, or of a node that was extracted with a layout, has its channels at the end; nothing for other nodes.
std::optional<bool> has_channels_last(const Node& node) {
  if (const auto layout = node.attr<std::string>("layout")) return *layout == "channels_last";
  if (const auto format = node.attr<std::string>("data_format")) return !format->starts_with("NC");
  const std::string_view op = framework_op_name(node);
  if (op == "Conv2D" || op == "DepthwiseConv2dNative" || op == "_FusedConv2D") return true;  // what the operators do by default
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
      if (const Value source = node.input(k); source && std::find(seen.begin(), seen.end(), source.node()) == seen.end()) {
        open.push_back(source.node());
        seen.push_back(source.node());
      }
  }
  return value.node().origin().framework == "TensorFlow";
}

/// The connected layer that a head is the output of, when there is one behind
/// the last convolution: it has no places that regions could lie at.
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

/// RegionYolo of a head; it wants channels first.
Value region(Rewriter& rw, const Value& head, const ops::RegionYolo& op) {
  return rw.create(Op(op), is_channels_last(head) ? rw.create(ops::Transpose{}, head, rw.integers({0, 3, 1, 2})) : head);
}

Expected<ops::RegionYolo> region_of(const AttributeMap& custom) {
  ops::RegionYolo op{.axis = 1, .end_axis = -1};
  MO_ASSIGN(op.classes, required_attribute<std::int64_t>(custom, "classes"));
  MO_ASSIGN(op.num, required_attribute<std::int64_t>(custom, "num"));
  MO_ASSIGN(op.coords, attribute_or<std::int64_t>(custom, "coords", 4));
  MO_ASSIGN(op.anchors, attribute_or<std::vector<double>>(custom, "anchors", {}));
  MO_ASSIGN(op.do_softmax, attribute_or(custom, "do_softmax", true));
  MO_ASSIGN(op.mask, attribute_or<std::vector<std::int64_t>>(custom, "mask", {}));
  if (op.num < 1 || op.num > kMostRegions) return error("MO-CONFIG-0204", "num is {}", op.num).hint("correct \"custom_attributes\"");
  return op;
}

/// YOLO v1 and v2: every output of the model -> RegionYolo of it.
Expected<bool> yolo(Graph& graph, const AttributeMap& custom, PassContext&) {
  MO_ASSIGN(ops::RegionYolo op, region_of(custom));
  if (!op.do_softmax && op.mask.empty()) {  // all regions
    op.mask.resize(static_cast<std::size_t>(op.num));
    std::iota(op.mask.begin(), op.mask.end(), 0);
  }
  for (const Node& result : graph.results())
    if (const Node layer = connected_layer(result.input(0)))
      return layer
          .error("MO-CONFIG-0236",
                 "the model ends with a connected layer, and regions are made of "
                 "a feature map")
          .hint("leave out the configuration: an application reads the boxes of this output as it is");
  Rewriter rewriter(graph);
  for (const Node& result : graph.results())
    if (const Value head = result.input(0)) rewriter.set_input(result, 0, region(rewriter, head, op));
  if (rewriter.error()) return Error(*rewriter.error());
  return rewriter.has_changed();
}

/// YOLO v3: what enters the nodes at "entry_points" -> RegionYolo with the mask
/// of its scale; these are the only outputs.
Expected<bool> yolo_v3(Graph& graph, const AttributeMap& custom, PassContext&) {
  MO_ASSIGN(ops::RegionYolo op, region_of(custom));
  MO_ASSIGN(const std::vector<std::string> names, required_attribute<std::vector<std::string>>(custom, "entry_points"));
  MO_ASSIGN(const AttributeList masks, required_list(custom, "masks"));
  if (masks.size() != names.size() || names.empty())
    return error("MO-CONFIG-0204", "there are {} entry points and {} masks", names.size(), masks.size()).hint("give one mask for each entry point");
  std::vector<Value> heads;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    const Node node = graph.find_node(name);
    if (node && node.input(0))
      heads.push_back(node.input(0));
    else
      missing.push_back("'" + name + "'");
  }
  if (!missing.empty())
    return error("MO-CONFIG-0230", "the model has no node {}", fmt::join(missing, ", "))
        .hint(
            "give the names of the reshapes behind the last convolutions as "
            "\"entry_points\" of the JSON configuration");
  Rewriter rewriter(graph);
  const std::vector<Node> old = graph.results();
  op.do_softmax = false;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    auto mask = AttributeCodec<std::vector<std::int64_t>>::decode(masks[i]);
    if (!mask) return error("MO-CONFIG-0204", "masks[{}] is {}, and a list of integers is wanted", i, masks[i].kind_name()).hint("correct \"masks\"");
    op.mask = *std::move(mask);
    graph.create_result(region(rewriter, heads[i], op));
  }
  for (const Node& result : old) {
    const Value source = result.input(0);
    graph.erase(result);
    if (source) rewriter.erase(source.node());
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
