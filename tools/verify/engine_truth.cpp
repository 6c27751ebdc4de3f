#include "tools/verify/engine_truth.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "driver/framework.hpp"
#include "frontends/caffe/reader.hpp"

namespace mo::tools {
namespace {

bool is_computed(const Node& node) { return !node.is<Const>() && !node.is<Parameter>(); }

using NamedTensors = std::map<std::string, const EngineTensor*, std::less<>>;

NamedTensors by_name(const EngineRun& run) {
  NamedTensors found;
  for (const auto* list : {&run.outputs, &run.tensors})
    for (const EngineTensor& tensor : *list)
      for (const std::string& name : tensor.names) found.try_emplace(name, &tensor);
  return found;
}

const EngineTensor* find(const NamedTensors& tensors, const Value& value) {
  for (const std::string& name : names_of(value))
    if (const auto it = tensors.find(name); it != tensors.end()) return it->second;
  return nullptr;
}

/// The tensor of each Result; null where the engine has none.
std::vector<const EngineTensor*> outputs_of(const EngineRun& run, const Graph& graph) {
  const NamedTensors tensors = by_name(run);
  const std::vector<Node> results = graph.results();
  std::vector<const EngineTensor*> found;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const EngineTensor* tensor = find(tensors, results[i].input(0));
    if (tensor == nullptr && run.outputs.size() == results.size()) tensor = &run.outputs[i];
    found.push_back(tensor);
  }
  return found;
}

/// What options make part of the IR that the model itself does not compute.
std::string_view preprocessing_in(const Options& options) {
  if (!options.mean_values.empty()) return "--mean_values";
  if (!options.scale_values.empty()) return "--scale_values";
  if (options.scale) return "--scale";
  if (options.reverse_input_channels) return "--reverse_input_channels";
  return {};
}

}  // namespace

std::vector<std::string> names_of(const Value& value) {
  std::vector<std::string> names;
  for (const std::string_view name : value.data().tensor_names()) names.emplace_back(name);
  const Node node = value.node();
  if (names.empty() && !node.name().empty())
    names.push_back(node.out_port_count() > 1 ? fmt::format("{}.{}", node.name(), value.index())
                                              : std::string(node.name()));
  return names;
}

Expected<EngineJob> job_of_source(const Options& options, const EngineRequest& request) {
  MO_ASSIGN(const Framework* const framework, choose_framework(options));
  if (const std::string_view fits = engine_of(framework->name); fits != request.name)
    return error("MO-VERIFY-0013", "the model is one of {}, which {} does not compute", framework->title, request.name)
        .hint("--engine {} computes the model, --engine openvino its IR", fits);
  if (const std::string_view option = preprocessing_in(options); !option.empty())
    return error("MO-VERIFY-0013", "{} belongs to the IR only: {} computes the model without it", option, request.name)
        .hint("leave it out to compare the rest, or compare the IR with --engine openvino");
  const TensorFlowOptions& tensorflow = options.tensorflow;
  EngineJob job;
  job.model = !options.input_model.empty()          ? options.input_model
              : !tensorflow.saved_model_dir.empty() ? tensorflow.saved_model_dir
                                                    : tensorflow.input_meta_graph;
  job.checkpoint = tensorflow.input_checkpoint;
  job.tags = tensorflow.saved_model_tags;
  job.signature = tensorflow.saved_model_signature;
  if (framework->name == "caffe") {
    job.weights = options.input_model;
    job.model = options.caffe.input_proto;
    if (job.model.empty()) { MO_ASSIGN(job.model, caffe::find_topology(options.input_model)); }
  }
  return job;
}

void find_frozen_inputs(const Graph& graph, const Options& options, std::vector<EngineTensor>& found) {
  const auto look = [&](const PortedName& name) {
    const bool is_known = std::any_of(found.begin(), found.end(),
                                      [&](const EngineTensor& known) { return known.names.front() == name.text; });
    const Node node = is_known ? Node() : graph.find_node(name.text);
    if (!node || !node.is<Const>()) return;
    found.push_back({.names = {name.text}, .value = node.as<Const>()->value});
    for (const std::string_view tensor : node.output().data().tensor_names()) found.back().names.emplace_back(tensor);
  };
  for (const FrozenPlaceholder& frozen : options.freeze_placeholder_with_value) look(frozen);
  for (const InputSpec& input : options.inputs)
    if (input.value) look(input);
}

void give_inputs(EngineJob& job, const Graph& graph, const std::vector<Tensor>& inputs,
                 const std::vector<EngineTensor>& frozen) {
  job.inputs = frozen;
  const std::vector<Node> parameters = graph.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EngineTensor input{.names = {std::string(parameters[i].name())}, .value = inputs[i]};
    for (const std::string_view name : parameters[i].output().data().tensor_names()) input.names.emplace_back(name);
    job.inputs.push_back(std::move(input));
  }
}

std::vector<std::string> output_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& result : graph.results())
    for (std::string& name : names_of(result.input(0))) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> inner_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node node : graph.nodes())
    if (is_computed(node))
      for (const OutPort& port : node.out_ports())
        for (std::string& name : names_of(port)) names.push_back(std::move(name));
  return names;
}

Truth true_outputs(const EngineRun& run, const Graph& graph) {
  Truth truth;
  const std::vector<Node> results = graph.results();
  const std::vector<const EngineTensor*> found = outputs_of(run, graph);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (found[i] != nullptr) truth.add(results[i].input(0), found[i]->value);
  return truth;
}

Truth true_tensors(const EngineRun& run, const Graph& graph) {
  Truth truth;
  const NamedTensors tensors = by_name(run);
  // A node may be called like the tensor of another one: a layer of Caffe like the blob that the next layer changes in
  // place.
  std::set<std::string_view> names;
  for (const Node node : graph.nodes())
    for (const OutPort& port : node.out_ports())
      for (const std::string_view name : port.data().tensor_names()) names.insert(name);
  const auto is_of_another = [&](const OutPort& port) {
    return port.data().tensor_names().empty() && names.contains(port.node().name());
  };
  const auto order = graph.topological_order();
  if (!order) return truth;  // then it cannot be computed either
  for (const Node& node : *order)
    if (is_computed(node))
      for (const OutPort& port : node.out_ports())
        if (const EngineTensor* const tensor = is_of_another(port) ? nullptr : find(tensors, port))
          truth.add(port, tensor->value);
  return truth;
}

Expected<std::vector<Tensor>> computed_outputs(const EngineRun& run, const Graph& graph, const std::string& engine) {
  std::vector<Tensor> computed;
  const std::vector<Node> results = graph.results();
  const std::vector<const EngineTensor*> found = outputs_of(run, graph);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (found[i] == nullptr)
      return error("MO-VERIFY-0011", "{} has no output '{}'", engine, output_name(results[i]))
          .hint("try another version of the engine");
    Tensor tensor = found[i]->value;
    // IECore has no scalars.
    if (results[i].input_type(0).rank() == 0 && tensor.rank() == 1 && tensor.shape().front() == 1)
      tensor = tensor.reshaped({});
    computed.push_back(std::move(tensor));
  }
  return computed;
}

}  // namespace mo::tools
