#include <charconv>

#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/caffe/net_parameter/layer_state.hpp"
#include "frontends/caffe/net_parameter/net_parameter.hpp"
#include "frontends/caffe/reader.hpp"

namespace mo::caffe {
namespace {

bool is_running_layer(const Node& node) { return !is_constant(node) && !is_skipped(node); }

std::string reference_of(const Value& value) {
  return value.index() == 0 ? std::string(value.node().name()) : fmt::format("{}:{}", value.node().name(), value.index());
}

/// "layer:1" as a tensor; empty when there is none.
Value find_reference(const Graph& graph, const std::string& reference) {
  if (const Node whole = graph.find_node(reference)) return whole.out_port_count() > 0 ? Value(whole.out_port(0)) : Value();
  const std::size_t colon = reference.rfind(':');
  if (colon == std::string::npos) return {};
  const Node node = graph.find_node(reference.substr(0, colon));
  std::size_t port = 0;
  const char* const end = reference.data() + reference.size();
  const auto [stop, cause] = std::from_chars(reference.data() + colon + 1, end, port);
  return node && cause == std::errc() && stop == end && port < node.out_port_count() ? Value(node.out_port(port)) : Value();
}

Diagnostic no_such_tensor(const std::string& reference) {
  return error("MO-CAFFE-0063", "there is no blob '{}'", reference).hint("name a layer or a blob of the net: --outputs=…");
}

}  // namespace

std::vector<std::string> net_inputs(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node node : graph.nodes())
    if (layer_type(node) == "Placeholder") names.emplace_back(node.name());
  return names;
}

std::vector<std::string> net_outputs(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node node : graph.nodes()) {
    if (!is_running_layer(node) || layer_type(node) == "Placeholder") continue;
    for (const OutPort& port : node.out_ports()) {
      bool is_read = false;
      for (const InPort& reader : port.get_destinations()) is_read = is_read || !is_skipped(reader.node());
      if (!is_read) names.push_back(reference_of(port));
    }
  }
  return names;
}

std::string reference_to_blob(const Graph& graph, const std::string& name) {
  if (graph.find_node(name)) return name;
  const auto order = graph.topological_order();
  const Value value = order ? BlobNames(graph, *order).last(name) : Value();
  return value ? reference_of(value) : name;
}

Expected<void> add_net_outputs(Graph& graph, const std::vector<std::string>& references) {
  for (const std::string& reference : references) {
    const Value value = find_reference(graph, reference);
    if (!value) return no_such_tensor(reference);
    std::string name = fmt::format("{}_output", reference_of(value));
    for (int i = 1; graph.find_node(name); ++i) name = fmt::format("{}_output_{}", reference_of(value), i);
    graph.create_node(Op("caffe::Split", AttributeMap()), {value}, 1, name);
  }
  return {};
}

Expected<std::unique_ptr<Graph>> linked_net(const Graph& graph, const std::vector<std::string>& outputs, DiagnosticSink& sink) {
  MO_ASSIGN(const std::string text, topology_text(graph));
  std::string weights;
  if (has_weight_file(graph)) { MO_ASSIGN(weights, weights_bytes(graph)); }
  MO_ASSIGN(std::unique_ptr<Graph> linked, read_net_text(text, weights, sink));
  for (const Node& result : linked->results()) linked->erase(result);
  for (const std::string& output : outputs) {
    const Value wanted = find_reference(graph, output);
    // Layers keep their names, if not those that only differ by phase.
    const Node node = wanted ? linked->find_node(layer_name(wanted.node())) : Node();
    if (!node || wanted.index() >= node.out_port_count()) return no_such_tensor(output);
    linked->create_result(node.out_port(wanted.index()));
  }
  return linked;
}

}  // namespace mo::caffe
