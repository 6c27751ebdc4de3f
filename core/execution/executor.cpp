#include "core/execution/executor.hpp"

#include <fmt/format.h>

namespace mo {
namespace {

Expected<void> check_input(const Node& parameter, const Tensor& input) {
  const auto& declared = *parameter.as<Parameter>();
  const bool type_fits = declared.element_type == ElementType::dynamic || declared.element_type == input.element_type();
  if (type_fits && declared.shape.compatible(PartialShape(input.shape()))) return {};
  return parameter
      .error("MO-EXEC-0002", "input {} is {}, the model wants {}", parameter.name(), input.type().to_string(),
             TensorType{declared.element_type, declared.shape}.to_string())
      .hint("give an array of that element type and shape");
}

}  // namespace

Expected<std::vector<Tensor>> execute(const Graph& graph, const std::vector<Tensor>& inputs, const ExecutorOptions& options) {
  const std::vector<Node> parameters = graph.parameters();
  if (parameters.size() != inputs.size())
    return error("MO-EXEC-0002", "{} inputs are given, the model has {}", inputs.size(), parameters.size()).hint("give one array for each input");
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  std::vector<Tensor> values(graph.value_capacity());
  std::vector<std::uint32_t> readers(graph.value_capacity());
  for (const Node& node : order)
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i)) ++readers[source.id().index];

  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (options.check_inputs) MO_TRY(check_input(parameters[i], inputs[i]));
    MO_ASSIGN(values[parameters[i].output().id().index], inputs[i].load());
  }
  for (const Node& node : order) {
    if (node.is<Parameter>() || node.is<Result>()) continue;
    std::vector<Tensor> arguments(node.in_port_count());
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (const Value source = node.input(i)) arguments[i] = values[source.id().index];
    auto made = evaluate_op(node.op_type(), node.payload(), std::move(arguments), node.out_port_count(), &options);
    if (!made) return node.describe(std::move(made).error());
    if (options.on_tensor)
      for (std::size_t i = 0; i < made->size(); ++i) MO_TRY(options.on_tensor(node.out_port(i), (*made)[i]));
    for (std::size_t i = 0; i < made->size(); ++i)
      if (const ValueId id = node.out_port(i).id(); readers[id.index] > 0) values[id.index] = std::move((*made)[i]);
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i); source && --readers[source.id().index] == 0) values[source.id().index] = {};
  }
  std::vector<Tensor> results;
  for (const Node& result : graph.results()) {
    const Value source = result.input(0);
    if (!source || values[source.id().index].empty()) return result.error("MO-EXEC-0004", "the output is not connected");
    results.push_back(values[source.id().index]);
  }
  return results;
}

}  // namespace mo
