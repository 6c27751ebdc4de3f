#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/net_parameter/layer_state.hpp"
#include "frontends/caffe/net_parameter/net_parameter.hpp"
#include "frontends/caffe/reader.hpp"
#include "frontends/common/tensor_references.hpp"

namespace mo::caffe {
namespace {

bool is_running_layer(const Node& node) { return !is_constant(node) && !is_skipped(node); }

std::string reference_of(const Value& value) {
  return value.index() == 0 ? std::string(value.node().name())
                            : fmt::format("{}:{}", value.node().name(), value.index());
}

}  // namespace

std::vector<std::string> net_inputs(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node node : graph.nodes())
    if (layer_type(node) == "Placeholder") names.emplace_back(node.name());
  return names;
}

std::vector<std::string> net_outputs(const Graph& graph) {
  const frontends::TensorReferences all(graph);
  std::vector<std::string> names;
  for (const Node node : graph.nodes()) {
    if (!is_running_layer(node) || layer_type(node) == "Placeholder") continue;
    for (const OutPort& port : node.out_ports()) {
      bool is_read = false;
      for (const InPort& reader : port.get_destinations()) is_read = is_read || !is_skipped(reader.node());
      if (!is_read) names.push_back(all.text_of(port));
    }
  }
  return names;
}

std::string reference_to_blob(const Graph& graph, const std::string& name) {
  if (graph.find_node(name)) return name;
  const auto order = graph.topological_order();
  const Value value = order ? BlobNames(graph, *order).last(name) : Value();
  return value ? frontends::TensorReferences(graph).text_of(value) : name;
}

Expected<std::vector<Value>> tensors_of(const Graph& graph, const std::vector<std::string>& references) {
  const frontends::TensorReferences all(graph);
  std::vector<Value> tensors;
  for (const std::string& reference : references) {
    tensors.push_back(all.find_value(reference));
    if (!tensors.back())
      return error("MO-CAFFE-0063", "there is no blob '{}'", reference)
          .hint("name a layer or a blob of the net: --outputs=…");
  }
  return tensors;
}

Expected<void> add_net_outputs(Graph& graph, const std::vector<std::string>& references) {
  MO_ASSIGN(const std::vector<Value> tensors, tensors_of(graph, references));
  for (const Value& value : tensors) {
    std::string name = fmt::format("{}_output", reference_of(value));
    for (int i = 1; graph.find_node(name); ++i) name = fmt::format("{}_output_{}", reference_of(value), i);
    graph.create_node(Op("caffe::Split", AttributeMap()), {value}, 1, name);
  }
  return {};
}

Expected<std::unique_ptr<Graph>> linked_net(const Graph& graph, const std::vector<Value>& outputs,
                                            DiagnosticSink& sink) {
  MO_ASSIGN(const std::string text, topology_text(graph));
  std::string weights;
  if (has_weight_file(graph)) { MO_ASSIGN(weights, weights_bytes(graph)); }
  MO_ASSIGN(std::unique_ptr<Graph> linked, read_net_text(text, weights, sink));
  for (const Node& result : linked->results()) linked->erase(result);
  for (const Value& output : outputs) {
    // Layers keep their names, if not those that only differ by phase.
    const Node node = linked->find_node(layer_name(output.node()));
    if (!node || output.index() >= node.out_port_count())
      return output.node()
          .error("MO-CAFFE-0063", "there is no such blob when the net runs")
          .hint("name a layer or a blob of the net: --outputs=…");
    linked->create_result(node.out_port(output.index()));
  }
  return linked;
}

}  // namespace mo::caffe
