#include "phases/front/name_index.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/support/nearest.hpp"
#include "phases/front/way_around.hpp"

namespace mo::phases {
namespace {

constexpr std::size_t kListed = 20;

/// TensorFlow's models list only outputs that are read. Whether a node that is still the framework's has this one, its
/// translator knows.
void add_unread_output(const Node& node, int port) {
  constexpr int kMostOutputs = 4096;
  if (!node.op_type().dynamic || node.op_type().infer || port < 0 || port >= kMostOutputs) return;
  if (static_cast<std::size_t>(port) >= node.out_port_count()) node.add_output_port(static_cast<std::size_t>(port));
}

FoundPlace at(const OutPort& port) { return {port.node(), {}, port.index()}; }

}  // namespace

NameIndex::NameIndex(const Graph& graph, NameOrder order) : graph_(graph), order_(order) {
  for (const Node node : graph.nodes()) {
    if (node.is<Result>()) continue;
    nodes_.try_emplace(std::string(node.name()), node);
    for (const OutPort& port : node.out_ports())
      for (const std::string_view name : port.data().tensor_names()) tensors_.try_emplace(std::string(name), port);
  }
  for (const Node& result : graph.results())
    if (const Value source = result.input(0))
      for (const std::string_view name : source.data().tensor_names()) outputs_.try_emplace(std::string(name), source);
}

std::optional<FoundPlace> NameIndex::find_tensor(const PlaceReading& reading, std::string_view option) const {
  if (reading.in_port || reading.out_port) return std::nullopt;
  if (const auto output = outputs_.find(reading.name); option == "--output" && output != outputs_.end())
    return at(output->second);
  if (const auto tensor = tensors_.find(reading.name); tensor != tensors_.end()) return at(tensor->second);
  return std::nullopt;
}

Expected<std::optional<FoundPlace>> NameIndex::find_node(const PlaceReading& reading, std::string_view option) const {
  const auto named = nodes_.find(reading.name);
  if (named == nodes_.end()) return std::optional<FoundPlace>();
  const Node& node = named->second;
  const auto port = [&](const std::optional<int>& p, std::size_t count,
                        std::string_view kind) -> Expected<std::optional<std::size_t>> {
    if (!p) return std::optional<std::size_t>();
    if (*p < 0 || static_cast<std::size_t>(*p) >= count)
      return node
          .error("MO-CUT-0002", "{}: '{}' has no {} port {}: it has {} {}{}", option, reading.name, kind, *p, count,
                 kind, count == 1 ? "" : "s")
          .hint("ports are numbered from 0; a shape is written in brackets: {}[1,3]", reading.name);
    return std::optional<std::size_t>(static_cast<std::size_t>(*p));
  };
  FoundPlace found{node, {}, {}};
  if (reading.out_port) add_unread_output(node, *reading.out_port);
  MO_ASSIGN(found.in_port, port(reading.in_port, node.in_port_count(), "input"));
  MO_ASSIGN(found.out_port, port(reading.out_port, node.out_port_count(), "output"));
  return std::optional<FoundPlace>(found);
}

Expected<FoundPlace> NameIndex::find(const Place& place, std::string_view option, DiagnosticSink& sink) const {
  for (const PlaceReading& reading : place.readings) {
    const std::optional<FoundPlace> tensor = find_tensor(reading, option);
    MO_ASSIGN(const std::optional<FoundPlace> node, find_node(reading, option));
    if (!tensor && !node) continue;
    if (!tensor || !node) return tensor ? *tensor : *node;
    if (tensor->node == node->node) return order_ == NameOrder::tensors_first ? *tensor : *node;
    const bool is_end = option == "--output" ? outputs_.contains(reading.name)
                                             : node->node.is<Parameter>() || tensor->node.is<Parameter>();
    const bool takes_tensor = is_end ? !node->node.is<Parameter>() : order_ == NameOrder::tensors_first;
    sink.report(
        warning("MO-CUT-0006",
                "{}: '{}' is the name of a node and of an output of another node, '{}'; the {}{} is taken", option,
                reading.name, tensor->node.name(), takes_tensor ? "tensor" : "node",
                !is_end                ? ""
                : option == "--output" ? ", an output of the model,"
                                       : ", an input of the model,")
            .hint("for the {} write {}", takes_tensor ? "node" : "tensor",
                  takes_tensor ? reading.name + ":0" : fmt::format("{}:{}", tensor->node.name(), *tensor->out_port)));
    return takes_tensor ? *tensor : *node;
  }
  // ONNX: the first output of a node, written like that of TensorFlow, and a tensor of TensorFlow without its port.
  for (const PlaceReading& reading : place.readings) {
    if (reading.in_port || reading.out_port.value_or(0) != 0) continue;
    for (const std::string& name : {reading.name, reading.name + ":0"})
      if (const auto tensor = tensors_.find(name); tensor != tensors_.end()) return at(tensor->second);
  }
  return unknown(place, option);
}

Diagnostic NameIndex::unknown(const Place& place, std::string_view option) const {
  std::vector<std::string> known;
  for (const auto& [name, node] : nodes_) known.push_back(name);
  for (const auto& [name, port] : tensors_) known.push_back(name);
  std::sort(known.begin(), known.end());
  Diagnostic problem = error("MO-CUT-0001", "{}: no node and no tensor is called '{}'", option, place.text);
  const bool is_input = option == "--input";
  if (const auto [names, count] = ends_of_model(is_input); count > 0)
    problem.notes.push_back(fmt::format("the model's {}{}: {}{}", is_input ? "input" : "output",
                                        count == 1 ? " is" : "s are", names,
                                        count > kListed ? fmt::format(" and {} more", count - kListed) : ""));
  const std::string& wanted = place.readings.empty() ? place.text : place.readings.front().name;
  const std::string near = nearest(wanted, known, std::max<std::size_t>(1, wanted.size() / 2));
  if (near.empty()) return std::move(problem).hint("names of other nodes and tensors are those of the model's file");
  return std::move(problem).hint("did you mean '{}'?", near);
}

/// The inputs or outputs that the model has, by the names that users give, and their number.
std::pair<std::string, std::size_t> NameIndex::ends_of_model(bool inputs) const {
  std::vector<std::string> names;
  const std::vector<Node> ends = inputs ? graph_.parameters() : graph_.results();
  for (const Node& end : ends) {
    if (names.size() == kListed) break;
    if (inputs)
      names.emplace_back(end.name());
    else if (const Value source = end.input(0))
      names.push_back(name_for_output(source));
  }
  return {fmt::format("{}", fmt::join(names, ", ")), ends.size()};
}

}  // namespace mo::phases
