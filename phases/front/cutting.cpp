#include "phases/front/cutting.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/dead_nodes.hpp"
#include "core/graph/model_ends.hpp"
#include "core/pass/given_options.hpp"
#include "core/support/shell.hpp"
#include "phases/front/exported_shape.hpp"
#include "phases/front/frozen_tensor.hpp"
#include "phases/front/shape_without_brackets.hpp"

namespace mo::phases {
namespace {

NameOrder order_of(CutNames names) {
  return names == CutNames::onnx_2024 ? NameOrder::tensors_first : NameOrder::nodes_first;
}

Expected<std::vector<OutPort>> ports_of(const FoundPlace& found) {
  if (found.in_port) {
    const Value source = found.node.input(*found.in_port);
    if (!source)
      return found.node.error("MO-CUT-0002", "--output: input port {} of '{}' is not connected", *found.in_port,
                              found.node.name());
    return std::vector<OutPort>{source};
  }
  if (found.out_port) return std::vector<OutPort>{found.node.out_port(*found.out_port)};
  // The whole node: the first output and all others that are read.
  std::vector<OutPort> ports;
  for (const OutPort& port : found.node.out_ports())
    if (port.index() == 0 || !port.disconnected()) ports.push_back(port);
  return ports;
}

bool is_tensorflow(CutNames names) { return names == CutNames::tensorflow_2021 || names == CutNames::tensorflow_2024; }

/// The name of the layer before a Result of the cut; `known`: the Result that the reader created for the tensor, if
/// any.
std::string name_of_result(const OutPort& port, const Node& known, bool named_by_tensor, CutNames names) {
  if (is_tensorflow(names) && known) return std::string(public_name(known));
  const std::string_view tensor = port.data().first_tensor_name();
  if ((names == CutNames::onnx_2024 || (names == CutNames::onnx_2021 && named_by_tensor)) && !tensor.empty())
    return std::string(tensor);
  return port.node().out_port_count() == 1 ? std::string(port.node().name()) : std::string();
}

/// Only IRs know it.
std::string result_name(const OutPort& port, CutNames names) {
  const std::string_view tensor = port.data().first_tensor_name();
  const bool is_tensor = names == CutNames::onnx_2021 || is_tensorflow(names);
  return is_tensor && !tensor.empty() ? std::string(tensor) : port.data().result_name();
}

Expected<bool> cut_outputs(Graph& graph, const std::vector<Place>& outputs, CutNames names, DiagnosticSink& sink) {
  if (outputs.empty()) return false;
  const NameIndex index(graph, order_of(names));
  const std::vector<Node> given = graph.results();
  std::vector<OutPort> wanted;
  for (const Place& place : outputs) {
    MO_ASSIGN(const FoundPlace found, index.find(place, "--output", sink));
    MO_ASSIGN(const std::vector<OutPort> ports, ports_of(found));
    for (const OutPort& port : ports) {
      if (std::find(wanted.begin(), wanted.end(), port) != wanted.end()) continue;
      wanted.push_back(port);
      const auto known =
          std::find_if(given.begin(), given.end(), [&](const Node& result) { return result.input(0) == port; });
      const Node of_reader = known == given.end() ? Node() : *known;
      const bool named_by_tensor = found.out_port && found.node.name() != place.text;
      const Node result =
          graph.create_result(port, of_reader ? std::string(of_reader.name()) : result_name(port, names));
      if (of_reader) result.set_origin(of_reader.origin());
      set_public_name(result, name_of_result(port, of_reader, named_by_tensor, names));
    }
  }
  for (const Node& result : given) graph.erase(result);
  remove_dead_nodes(graph);
  return true;
}

/// The Parameter, or an empty node when it became a constant.
Expected<Node> apply_input(Graph& graph, const Node& parameter, const InputCut& cut) {
  auto& declared = *parameter.as<Parameter>();
  if (cut.element_type) declared.element_type = *cut.element_type;
  give_shape(parameter, cut.shape ? *cut.shape : declared.shape);
  if (!cut.value) return parameter;
  MO_ASSIGN(Tensor tensor, frozen_tensor(parameter, *cut.value, cut.value_is_list));
  const Node constant = graph.create_constant(std::move(tensor), parameter.name());
  MO_TRY(parameter.output().get_connection().set_source(constant.output()));
  graph.erase(parameter);
  return Node();
}

/// Others are constants, whatever computes them.
bool depends_on_input(const Value& value) {
  std::vector<Node> open = {value.node()};
  std::unordered_set<NodeId> seen = {value.node().id()};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.is<Parameter>()) return true;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i); source && seen.insert(source.node().id()).second)
        open.push_back(source.node());
  }
  return false;
}

/// The input port that a user means who names a node with several inputs: the only one that depends on inputs of the
/// model. The first one for those who say that this is enough.
Expected<std::size_t> only_data_port(const Node& node, CutNames names) {
  std::vector<std::size_t> ports;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && depends_on_input(source)) ports.push_back(i);
  if (ports.size() == 1 || (names == CutNames::onnx_2024 && !ports.empty())) return ports.front();
  return node.error("MO-CUT-0003", "--input: '{}' has {} inputs that could be meant", node.name(), ports.size())
      .hint("name the port: 0:{} for its first input, {}:0 for its output", node.name(), node.name());
}

/// The tensor in whose place a Parameter comes: all of it, or only for one reader.
struct CutTensor {
  Value tensor;
  std::optional<InPort> reader;
};

Expected<CutTensor> tensor_of(const FoundPlace& found, CutNames names) {
  if (found.out_port) return CutTensor{found.node.out_port(*found.out_port), {}};
  if (!found.in_port && names == CutNames::tensorflow_2024) return CutTensor{found.node.out_port(0), {}};
  std::size_t port = 0;
  if (found.in_port) {
    port = *found.in_port;
  } else {
    MO_ASSIGN(port, only_data_port(found.node, names));
  }
  const Value source = found.node.input(port);
  if (!source)
    return found.node.error("MO-CUT-0002", "--input: input port {} of '{}' is not connected", port, found.node.name());
  return CutTensor{source, found.node.in_port(port)};
}

std::string name_of_new_input(const CutTensor& at, const std::string& text, CutNames names) {
  if (names == CutNames::tensorflow_2024) return text;
  if (names == CutNames::onnx_2024 && !at.tensor.data().first_tensor_name().empty())
    return std::string(at.tensor.data().first_tensor_name());
  if (!at.reader) return fmt::format("{}/placeholder_out_port_{}", at.tensor.node().name(), at.tensor.index());
  return fmt::format("{}/placeholder_port_{}", at.reader->node().name(), at.reader->index());
}

/// What the cut tensors are, as the whole model says. By the text of the place.
using CutTypes = std::unordered_map<std::string, TensorType>;

Expected<Node> make_input(Graph& graph, const FoundPlace& found, InputCut cut, const CutTypes& types, CutNames names,
                          bool text_is_free) {
  MO_ASSIGN(const CutTensor at, tensor_of(found, names));
  const auto type = types.find(cut.place.text);
  if (type != types.end() && !cut.element_type) cut.element_type = type->second.element_type;
  if (!cut.element_type || *cut.element_type == ElementType::dynamic) cut.element_type = ElementType::f32;
  const PartialShape own = type != types.end() ? type->second.shape : PartialShape();
  const Node parameter = graph.create_parameter({ElementType::f32, own}, name_of_new_input(at, cut.place.text, names));
  parameter.set_origin({.framework = found.node.origin().framework, .part = "input of a cut"});
  if (!at.reader) {
    MO_TRY(at.tensor.get_connection().set_source(parameter.output()));  // tensor names move along
  } else {
    MO_TRY(at.reader->connect(parameter.output()));
    if (names == CutNames::onnx_2024) {
      parameter.output().data().add_tensor_names_of(at.tensor.data());
      at.tensor.data().clear_tensor_names();
    }
    if (names == CutNames::caffe)
      parameter.output().data().add_tensor_name(fmt::format("{}:{}", at.reader->index(), at.reader->node().name()));
  }
  if (text_is_free) parameter.output().data().add_tensor_name(cut.place.text);
  return apply_input(graph, parameter, cut);
}

Expected<Node> cut_input(Graph& graph, const FoundPlace& found, const InputCut& cut, const CutTypes& types,
                         CutNames names, bool text_is_free) {
  if (!found.node.alive())
    return error("MO-CUT-0001", "--input: '{}' was cut off by another input", cut.place.text).hint("leave it out");
  if (!found.node.is<Parameter>()) return make_input(graph, found, cut, types, names, text_is_free);
  if (names == CutNames::tensorflow_2024) set_public_name(found.node, cut.place.text);
  return apply_input(graph, found.node, cut);
}

/// Infers a copy of the model as it is before the cut, with the shapes that its own inputs get.
Expected<CutTypes> types_of(Graph& graph, const std::vector<InputCut>& cuts, const std::vector<FoundPlace>& found,
                            CutNames names, const TypeInference& infer) {
  CutTypes types;
  std::vector<std::string> texts;
  std::vector<Node> marks;  // Results, which a copy has in the same order
  for (std::size_t i = 0; i < cuts.size() && infer; ++i) {
    if (found[i].node.is<Parameter>()) continue;
    MO_ASSIGN(const CutTensor at, tensor_of(found[i], names));
    texts.push_back(cuts[i].place.text);
    marks.push_back(graph.create_result(at.tensor));
  }
  if (marks.empty()) return types;
  const std::unique_ptr<Graph> whole = graph.clone();
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) graph.erase(*mark);
  const std::vector<Node> inputs = graph.parameters();
  const std::vector<Node> copied = whole->parameters();
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto at = std::find(inputs.begin(), inputs.end(), found[i].node);
    if (at == inputs.end()) continue;
    auto& declared = *copied[static_cast<std::size_t>(at - inputs.begin())].as<Parameter>();
    if (cuts[i].shape) declared.shape = *cuts[i].shape;
    if (cuts[i].element_type) declared.element_type = *cuts[i].element_type;
  }
  const std::vector<Node> results = whole->results();
  infer(*whole);
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (const Node& result = results[results.size() - texts.size() + i]; result.alive() && result.input(0))
      types[texts[i]] = result.input(0).type();
  return types;
}

/// Inputs are in the order in which the user names them: lists of mean values, and programs that number inputs, count
/// on that.
void reorder(Graph& graph, std::vector<Node> first) {
  for (const Node& parameter : graph.parameters())
    if (std::find(first.begin(), first.end(), parameter) == first.end()) first.push_back(parameter);
  graph.reorder_parameters(first);
}

/// Where a shape was written after a name without brackets, names are found that are none.
void explain_brackets(const Graph& graph, const NameIndex& index, std::string_view input, Error& error) {
  const std::vector<Node> inputs = graph.parameters();
  const std::string right = with_brackets(input, [&](const std::string& name) {
    return inputs.size() == 1 && !index.has(name) ? std::string(inputs.front().name()) : name;
  });
  if (!right.empty())
    error.items().front().hint_text = fmt::format("a shape is written in brackets: --input {}", shell_word(right));
}

Expected<void> cut_inputs(Graph& graph, const std::vector<InputCut>& cuts, CutNames names, const TypeInference& infer,
                          PassContext& context) {
  const NameIndex index(graph, order_of(names));
  std::vector<FoundPlace> found;
  for (const InputCut& cut : cuts) {
    auto place = index.find(cut.place, "--input", context.diagnostics);
    if (!place) {
      if (const std::string* const input = given_option(context.settings, "input"))
        explain_brackets(graph, index, *input, place.error());
      return std::move(place).error();
    }
    found.push_back(*std::move(place));
  }
  MO_ASSIGN(const CutTypes types, types_of(graph, cuts, found, names, infer));
  if (names == CutNames::tensorflow_2024)  // inputs that no cut names are then called after their nodes
    for (const Node& parameter : graph.parameters())
      if (public_name(parameter) == fmt::format("{}:0", parameter.name())) set_public_name(parameter, {});
  std::vector<Node> given;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    MO_ASSIGN(const Node parameter,
              cut_input(graph, found[i], cuts[i], types, names, !index.has_tensor(cuts[i].place.text)));
    if (parameter && std::find(given.begin(), given.end(), parameter) == given.end()) given.push_back(parameter);
  }
  remove_dead_nodes(graph);
  // Remove inputs that the cuts left without readers.
  for (const Node& parameter : graph.parameters())
    if (parameter.output().disconnected() && std::find(given.begin(), given.end(), parameter) == given.end())
      graph.erase(parameter);
  reorder(graph, given);
  return {};
}

Expected<void> apply_shapes(const std::vector<Node>& parameters, const std::vector<PartialShape>& shapes) {
  if (shapes.empty()) return {};
  if (shapes.size() != parameters.size())
    return error("MO-CUT-0004", "{} input shape{} for {} input{}", shapes.size(), shapes.size() == 1 ? "" : "s",
                 parameters.size(), parameters.size() == 1 ? "" : "s")
        .hint("name the inputs with --input in the order of the shapes");
  for (std::size_t i = 0; i < shapes.size(); ++i) give_shape(parameters[i], shapes[i]);
  return {};
}

}  // namespace

Pass output_cut(std::vector<Place> outputs, CutNames names) {
  return graph_pass("OutputCut")
      .phase(Phase::extraction)
      .run_after({"Extraction"})
      .only_top_level()
      .run([outputs = std::move(outputs), names](Graph& graph, PassContext& context) {
        return cut_outputs(graph, outputs, names, context.diagnostics);
      });
}

Pass input_cut(std::string name, std::vector<InputCut> inputs, std::vector<PartialShape> shapes, CutNames names,
               TypeInference infer) {
  return graph_pass(std::move(name))
      .phase(Phase::extraction)
      .run_after({"OutputCut"})
      .only_top_level()
      .run([inputs = std::move(inputs), shapes = std::move(shapes), names, infer = std::move(infer)](
               Graph& graph, PassContext& context) -> Expected<bool> {
        if (inputs.empty()) {
          MO_TRY(apply_shapes(graph.parameters(), shapes));
          return !shapes.empty();
        }
        if (!shapes.empty() && shapes.size() != inputs.size())
          return error("MO-CUT-0004", "{} input shapes for {} inputs", shapes.size(), inputs.size())
              .hint("give one shape for each name of --input");
        std::vector<InputCut> cuts = inputs;
        for (std::size_t i = 0; i < shapes.size(); ++i) cuts[i].shape = shapes[i];
        MO_TRY(cut_inputs(graph, cuts, names, infer, context));
        return true;
      });
}

}  // namespace mo::phases
