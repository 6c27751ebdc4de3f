#include "phases/front/cutting.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "core/graph/dead_nodes.hpp"
#include "core/support/nearest.hpp"
#include "core/tensor/convert.hpp"
#include "phases/front/way_around.hpp"

namespace mo::phases {
namespace {

/// Where a place lies in the graph.
struct Found {
  Node node;
  std::optional<std::size_t> in_port;
  std::optional<std::size_t> out_port;
};

/// Finds nodes and tensors by name; made once for a list of places.
class NameIndex {
 public:
  explicit NameIndex(const Graph& graph) : graph_(graph) {
    for (const Node node : graph.nodes()) {
      if (node.is<Result>()) continue;
      nodes_.try_emplace(std::string(node.name()), node);
      for (const OutPort& port : node.out_ports())
        for (const std::string_view name : port.data().tensor_names()) tensors_.try_emplace(std::string(name), port);
    }
  }

  Expected<Found> find(const Place& place, std::string_view option) const {
    for (const PlaceReading& reading : place.readings) {
      if (const auto node = nodes_.find(reading.name); node != nodes_.end()) {
        const auto port = [&](const std::optional<int>& p, std::size_t count, std::string_view kind) -> Expected<std::optional<std::size_t>> {
          if (!p) return std::optional<std::size_t>();
          if (*p < 0 || static_cast<std::size_t>(*p) >= count)
            return node->second.error("MO-CUT-0002", "{}: '{}' has no {} port {}, it has {}", option, reading.name, kind, *p, count)
                .hint("ports count from 0");
          return std::optional<std::size_t>(static_cast<std::size_t>(*p));
        };
        Found found{node->second, {}, {}};
        if (reading.out_port) add_unread_output(node->second, *reading.out_port);
        MO_ASSIGN(found.in_port, port(reading.in_port, node->second.in_port_count(), "input"));
        MO_ASSIGN(found.out_port, port(reading.out_port, node->second.out_port_count(), "output"));
        return found;
      }
      if (const auto tensor = tensors_.find(reading.name); tensor != tensors_.end() && !reading.in_port && !reading.out_port)
        return Found{tensor->second.node(), {}, tensor->second.index()};
    }
    std::vector<std::string> known;
    for (const auto& [name, node] : nodes_) known.push_back(name);
    for (const auto& [name, port] : tensors_) known.push_back(name);
    std::sort(known.begin(), known.end());
    Diagnostic problem = error("MO-CUT-0001", "{}: no node and no tensor is called '{}'", option, place.text);
    const bool is_input = option == "--input";
    if (const auto [names, count] = ends_of_model(is_input); count > 0)
      problem.notes.push_back(fmt::format("the model's {}{}: {}{}", is_input ? "input" : "output", count == 1 ? " is" : "s are", names,
                                          count > kListed ? fmt::format(" and {} more", count - kListed) : ""));
    const std::string& wanted = place.readings.empty() ? place.text : place.readings.front().name;
    const std::string near = nearest(wanted, known, std::max<std::size_t>(1, wanted.size() / 2));
    if (near.empty()) return std::move(problem).hint("names of other nodes and tensors are those of the model's file");
    return std::move(problem).hint("did you mean '{}'?", near);
  }

 private:
  static constexpr std::size_t kListed = 20;

  /// The inputs or outputs that the model has, by the names that users give, and their number.
  std::pair<std::string, std::size_t> ends_of_model(bool inputs) const {
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

  /// TensorFlow's models list only outputs that are read. Whether a node that is still the framework's has this one, its translator knows.
  static void add_unread_output(const Node& node, int port) {
    constexpr int kMostOutputs = 4096;
    if (!node.op_type().dynamic || node.op_type().infer || port < 0 || port >= kMostOutputs) return;
    if (static_cast<std::size_t>(port) >= node.out_port_count()) node.add_output_port(static_cast<std::size_t>(port));
  }

  const Graph& graph_;
  std::unordered_map<std::string, Node> nodes_;
  std::unordered_map<std::string, OutPort> tensors_;
};

Expected<bool> cut_outputs(Graph& graph, const std::vector<Place>& outputs) {
  if (outputs.empty()) return false;
  const NameIndex index(graph);
  std::vector<OutPort> wanted;
  for (const Place& place : outputs) {
    MO_ASSIGN(const Found found, index.find(place, "--output"));
    std::vector<OutPort> ports;
    if (found.in_port) {
      const Value source = found.node.input(*found.in_port);
      if (!source) return found.node.error("MO-CUT-0002", "--output: input port {} of '{}' is not connected", *found.in_port, found.node.name());
      ports = {source};
    } else if (found.out_port) {
      ports = {found.node.out_port(*found.out_port)};
    } else {
      // The whole node: every output that somebody reads, or at least the first.
      for (const OutPort& port : found.node.out_ports())
        if (port.index() == 0 || !port.disconnected()) ports.push_back(port);
    }
    for (const OutPort& port : ports)
      if (std::find(wanted.begin(), wanted.end(), port) == wanted.end()) wanted.push_back(port);
  }
  for (const Node& result : graph.results()) graph.erase(result);
  for (const OutPort& port : wanted) graph.create_result(port, port.data().result_name());
  remove_dead_nodes(graph);
  return true;
}

Expected<Tensor> frozen_tensor(const Node& parameter, const std::vector<std::string>& items, bool is_list) {
  const auto& declared = *parameter.as<Parameter>();
  const ElementType type = declared.element_type == ElementType::dynamic ? ElementType::f32 : declared.element_type;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  bool all_integers = true;
  for (const std::string& item : items) {
    std::string text = item == "True" || item == "true" ? "1" : item == "False" || item == "false" ? "0" : item;
    double real = 0;
    std::int64_t integer = 0;
    const char* end = text.data() + text.size();
    const bool is_integer = std::from_chars(text.data(), end, integer).ptr == end && !text.empty();
    const auto parsed = std::from_chars(text.data(), end, real);
    if (parsed.ptr != end || parsed.ec != std::errc() || text.empty())
      return parameter.error("MO-CUT-0005", "'{}' is not a number", item).hint("freeze an input as name->5 or name->[1 2 3]");
    all_integers = all_integers && is_integer;
    reals.push_back(real);
    integers.push_back(is_integer ? integer : static_cast<std::int64_t>(real));
  }
  Shape shape = is_list ? Shape{static_cast<std::int64_t>(items.size())} : Shape{};
  if (const auto full = declared.shape.to_shape()) {
    const auto count = element_count(*full);
    if (!is_list && count && *count > 1 && *count <= 1'000'000) {  // one number fills the input
      reals.assign(static_cast<std::size_t>(*count), reals.front());
      integers.assign(static_cast<std::size_t>(*count), integers.front());
      shape = *full;
    } else if (count && *count == static_cast<std::int64_t>(items.size())) {
      shape = *full;
    }
  }
  if (declared.shape.has_rank() && !declared.shape.compatible(PartialShape(shape)))
    return parameter
        .error("MO-CUT-0005", "{} value{} for input '{}' of shape {}", items.size(), items.size() == 1 ? "" : "s", parameter.name(),
               declared.shape.to_string())
        .hint("give one number, or as many as the shape has elements");
  return all_integers ? from_integers(type, shape, integers) : from_reals(type, shape, reals);
}

/// The Parameter, or an empty node when it became a constant.
Expected<Node> apply_input(Graph& graph, const Node& parameter, const InputCut& cut) {
  auto& declared = *parameter.as<Parameter>();
  if (cut.shape) declared.shape = *cut.shape;
  if (cut.element_type) declared.element_type = *cut.element_type;
  if (!cut.value) {
    parameter.output().data().set_type({declared.element_type, declared.shape});
    return parameter;
  }
  MO_ASSIGN(Tensor tensor, frozen_tensor(parameter, *cut.value, cut.value_is_list));
  const Node constant = graph.create_constant(std::move(tensor), parameter.name());
  MO_TRY(parameter.output().get_connection().set_source(constant.output()));
  graph.erase(parameter);
  return Node();
}

/// The input port that a user means who names a node with several inputs: the only one that is not fed by a constant.
Expected<std::size_t> only_data_port(const Node& node) {
  std::vector<std::size_t> ports;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && !source.node().is<Const>()) ports.push_back(i);
  if (ports.size() == 1) return ports.front();
  return node.error("MO-CUT-0003", "--input: '{}' has {} inputs that could be meant", node.name(), ports.size())
      .hint("name the port: 0:{} for its first input, {}:0 for its output", node.name(), node.name());
}

Expected<Node> cut_input(Graph& graph, const NameIndex& index, const InputCut& cut) {
  MO_ASSIGN(const Found found, index.find(cut.place, "--input"));
  if (!found.node.alive()) return error("MO-CUT-0001", "--input: '{}' was cut off by another input", cut.place.text).hint("leave it out");
  if (found.node.is<Parameter>()) return apply_input(graph, found.node, cut);
  TensorType type;
  Node parameter;
  if (found.out_port) {
    const OutPort port = found.node.out_port(*found.out_port);
    parameter = graph.create_parameter({}, fmt::format("{}/placeholder_out_port_{}", found.node.name(), *found.out_port));
    MO_TRY(port.get_connection().set_source(parameter.output()));  // tensor names move along
  } else {
    std::size_t in_port = 0;
    if (found.in_port) {
      in_port = *found.in_port;
    } else {
      MO_ASSIGN(in_port, only_data_port(found.node));
    }
    parameter = graph.create_parameter({}, fmt::format("{}/placeholder_port_{}", found.node.name(), in_port));
    MO_TRY(found.node.in_port(in_port).connect(parameter.output()));
  }
  auto& declared = *parameter.as<Parameter>();
  declared.element_type = ElementType::f32;  // what the original gives to a new input
  return apply_input(graph, parameter, cut);
}

/// Inputs are in the order in which the user names them: lists of mean values, and programs that number inputs, count on that.
void reorder(Graph& graph, std::vector<Node> first) {
  for (const Node& parameter : graph.parameters())
    if (std::find(first.begin(), first.end(), parameter) == first.end()) first.push_back(parameter);
  graph.reorder_parameters(first);
}

Expected<void> apply_shapes(const std::vector<Node>& parameters, const std::vector<PartialShape>& shapes) {
  if (shapes.empty()) return {};
  if (shapes.size() != parameters.size())
    return error("MO-CUT-0004", "{} input shape{} for {} input{}", shapes.size(), shapes.size() == 1 ? "" : "s", parameters.size(),
                 parameters.size() == 1 ? "" : "s")
        .hint("name the inputs with --input in the order of the shapes");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    auto& declared = *parameters[i].as<Parameter>();
    declared.shape = shapes[i];
    parameters[i].output().data().set_type({declared.element_type, declared.shape});
  }
  return {};
}

}  // namespace

Pass output_cut(std::vector<Place> outputs) {
  return graph_pass("OutputCut")
      .phase(Phase::extraction)
      .run_after({"Extraction"})
      .only_top_level()
      .run([outputs = std::move(outputs)](Graph& graph, PassContext&) { return cut_outputs(graph, outputs); });
}

Pass input_cut(std::string name, std::vector<InputCut> inputs, std::vector<PartialShape> shapes) {
  return graph_pass(std::move(name))
      .phase(Phase::extraction)
      .run_after({"OutputCut"})
      .only_top_level()
      .run([inputs = std::move(inputs), shapes = std::move(shapes)](Graph& graph, PassContext&) -> Expected<bool> {
        const bool wanted = !inputs.empty() || !shapes.empty();
        if (!inputs.empty()) {
          if (!shapes.empty() && shapes.size() != inputs.size())
            return error("MO-CUT-0004", "{} input shapes for {} inputs", shapes.size(), inputs.size())
                .hint("give one shape for each name of --input");
          const NameIndex index(graph);
          std::vector<Node> given;
          for (std::size_t i = 0; i < inputs.size(); ++i) {
            InputCut cut = inputs[i];
            if (!shapes.empty()) cut.shape = shapes[i];
            MO_ASSIGN(const Node parameter, cut_input(graph, index, cut));
            if (parameter && std::find(given.begin(), given.end(), parameter) == given.end()) given.push_back(parameter);
          }
          remove_dead_nodes(graph);
          // Inputs that the cuts left without readers are no inputs any more.
          for (const Node& parameter : graph.parameters())
            if (parameter.output().disconnected() && std::find(given.begin(), given.end(), parameter) == given.end()) graph.erase(parameter);
          reorder(graph, given);
        } else {
          MO_TRY(apply_shapes(graph.parameters(), shapes));
        }
        return wanted;
      });
}

}  // namespace mo::phases
