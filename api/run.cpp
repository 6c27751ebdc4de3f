#include "api/run.hpp"

#include <charconv>

#include "api/account.hpp"
#include "core/execution/executor.hpp"
#include "driver/model_graph.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/run/inputs.hpp"

namespace mo {
namespace {

/// The tensor of each Parameter, matched by name as `mo run` matches files: each stands for itself by its number.
Expected<std::vector<Tensor>> inputs_of(const Graph& graph, const std::vector<NamedTensor>& given,
                                        DiagnosticSink& sink) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < given.size(); ++i)
    arguments.push_back((given[i].name.empty() ? "" : given[i].name + "=") + std::to_string(i));
  MO_ASSIGN(const std::vector<std::string> places,
            tools::match_inputs(graph, arguments, tools::InputsAre::tensors_of_a_call));
  const std::vector<Node> parameters = graph.parameters();
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::size_t place = 0;
    std::from_chars(places[i].data(), places[i].data() + places[i].size(), place);
    MO_ASSIGN(Tensor fitted, tools::fit_input(parameters[i], given[place].value, sink, given[place].untyped));
    inputs.push_back(std::move(fitted));
  }
  return inputs;
}

Expected<std::vector<NamedTensor>> run_on_account(const RunRequest& request, DiagnosticSink& sink) {
  MO_ASSIGN(const ModelGraph model,
            load_model(request.model,
                       {.stage = ModelStage::inferred, .weights = request.weights, .check_weights = true}, sink));
  const Graph& graph = *model.graph;
  MO_ASSIGN(const std::vector<Tensor> inputs, inputs_of(graph, request.inputs, sink));
  MO_ASSIGN(const std::vector<Tensor> values,
            execute(graph, inputs, {request.portable ? nullptr : tools::accelerated_kernels()}));
  const std::vector<Node> results = graph.results();
  std::vector<NamedTensor> outputs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Value source = results[i].input(0);
    NamedTensor output{tools::output_name(source), {}};
    MO_ASSIGN(output.value, values[i].load());
    for (const std::string_view name : source.data().tensor_names()) output.tensor_names.emplace_back(name);
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace

Expected<std::vector<NamedTensor>> run(const RunRequest& request, DiagnosticSink& sink) {
  return on_account(request.model.budget, [&] { return run_on_account(request, sink); });
}

}  // namespace mo
