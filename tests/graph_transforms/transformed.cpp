#include "tests/graph_transforms/transformed.hpp"

#include "core/execution/executor.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "tools/transform/evaluation.hpp"

namespace mo::graph_transforms::testing {
namespace {

std::string line_of(const Node& node) {
  std::vector<std::string> inputs;
  for (const InPort& port : node.in_ports()) {
    const Value source = port.get_source();
    if (!source)
      inputs.emplace_back("?");
    else
      inputs.push_back(source.index() == 0 ? std::string(source.node().name())
                                           : fmt::format("{}:{}", source.node().name(), source.index()));
  }
  for (const Node& before : node.control_inputs()) inputs.push_back(fmt::format("^{}", before.name()));
  return fmt::format("{} = {}({})\n", node.name(), op_of(node), fmt::join(inputs, ", "));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "tensor_shape {";
  for (const std::int64_t size : shape) text += fmt::format(" dim {{ size: {} }}", size);
  return text + " }";
}

}  // namespace

std::string Transformed::nodes_of(std::string_view ops) const {
  if (!error_code.empty()) return error_code + " " + error_text;
  std::string text;
  for (const Node node : graph->nodes())
    if (is_op_of(op_of(node), ops)) text += line_of(node);
  return text;
}

std::string Transformed::nodes() const { return nodes_of("*"); }

std::size_t Transformed::count(std::string_view op) const {
  std::size_t count = 0;
  for (const Node node : graph->nodes()) count += op_of(node) == op;
  return count;
}

std::vector<float> Transformed::floats(std::string_view name) const { return values<float>(name); }

Transformed transformed(const std::string& text, const std::string& transforms, const Ends& ends, Grammar grammar) {
  DiagnosticList sink;
  auto graph = tensorflow::read_graph_def_text(text, sink);
  EXPECT_TRUE(graph) << graph.error().first().format();
  if (!graph) return {};
  return transformed_model(*std::move(graph), transforms, ends, grammar);
}

Transformed transformed_model(std::unique_ptr<Graph> model, const std::string& transforms, const Ends& named,
                              Grammar grammar) {
  Transformed result;
  DiagnosticList sink;
  result.graph = std::move(model);
  const auto calls = parse_transforms(transforms, grammar);
  EXPECT_TRUE(calls) << calls.error().first().format();
  if (!calls) return result;
  TransformRegistry registry;
  register_all(registry);
  const tools::ModelFormat& format = tools::format_of_graph(*result.graph);
  const tools::ModelEvaluation evaluation(format);
  const auto done = [&]() -> Expected<void> {
    MO_ASSIGN(std::vector<std::string> inputs, format.inputs(*result.graph, named.inputs));
    MO_ASSIGN(std::vector<std::string> outputs, format.outputs(*result.graph, named.outputs));
    for (std::string& name : format.kept(*result.graph)) outputs.push_back(std::move(name));
    return TransformRun(registry, grammar)
        .run(*result.graph, *calls, {std::move(inputs), std::move(outputs), {}, &evaluation, &sink});
  }();
  if (!done) {
    result.error_code = done.error().first().code;
    result.error_text = done.error().first().message;
  }
  for (const Diagnostic& warning : sink.items) result.warnings.push_back(std::string(warning.code));
  return result;
}

std::string constant(std::string_view name, const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
  std::string tensor = "dtype: DT_FLOAT " + shape_text(shape);
  for (const float value : values) tensor += fmt::format(" float_val: {}", value);
  return node(name, "Const", "",
              attribute("dtype", "type: DT_FLOAT") + attribute("value", "tensor { " + tensor + " }"));
}

std::string constant_of_integers(std::string_view name, const std::vector<std::int64_t>& shape,
                                 const std::vector<std::int32_t>& values) {
  std::string tensor = "dtype: DT_INT32 " + shape_text(shape);
  for (const std::int32_t value : values) tensor += fmt::format(" int_val: {}", value);
  return node(name, "Const", "",
              attribute("dtype", "type: DT_INT32") + attribute("value", "tensor { " + tensor + " }"));
}

std::vector<float> cycled(const std::vector<float>& values, std::size_t count) {
  std::vector<float> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(values[i % values.size()]);
  return result;
}

std::vector<std::vector<float>> computed(const Graph& graph, const std::vector<std::string>& outputs,
                                         const std::vector<Tensor>& values) {
  const std::unique_ptr<Graph> part = graph.clone();
  const auto tensors = tools::tensors_of(*part, outputs);
  EXPECT_TRUE(tensors) << tensors.error().first().format();
  if (!tensors) return {};
  const auto executable = tools::executable_graph(*tensors);
  EXPECT_TRUE(executable) << executable.error().first().format();
  if (!executable) return {};
  const auto results = execute(**executable, values);
  EXPECT_TRUE(results) << results.error().first().format();
  std::vector<std::vector<float>> numbers;
  if (!results) return numbers;
  for (const Tensor& tensor : *results) {
    const auto elements = tensor.values<float>();
    numbers.emplace_back(elements.begin(), elements.end());
  }
  return numbers;
}

}  // namespace mo::graph_transforms::testing
