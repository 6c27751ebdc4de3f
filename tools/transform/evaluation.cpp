#include "tools/transform/evaluation.hpp"

#include "core/execution/executor.hpp"
#include "core/graph/copying.hpp"
#include "driver/pipeline.hpp"
#include "frontends/tensorflow/checkpoint/checkpoint.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/library.hpp"
#include "frontends/tensorflow/reader.hpp"

namespace mo::tools {
namespace {

std::string tensor_name(const Value& value) { return fmt::format("{}:{}", value.node().name(), value.index()); }

Options options_of_evaluation() {
  Options options;
  options.framework = "tf";
  return options;
}

/// What the tensors are computed from, translated; their Results in the same order.
Expected<std::unique_ptr<Graph>> executable_part(const std::vector<Value>& values) {
  Graph part;
  part.properties = values.front().graph().properties;  // functions
  GraphCopier copier(part);
  std::vector<std::string> names;
  for (const Value& value : values) {
    MO_TRY(copier.copy(value));
    names.push_back(tensor_name(value));
  }
  return executable_graph(part, names);
}

Expected<std::vector<Tensor>> computed(const std::vector<Value>& values) {
  MO_ASSIGN(const std::unique_ptr<Graph> graph, executable_part(values));
  return execute(*graph, {});
}

Expected<std::vector<PartialShape>> inferred_shapes(const std::vector<Value>& values) {
  MO_ASSIGN(const std::unique_ptr<Graph> graph, executable_part(values));
  std::vector<PartialShape> shapes;
  for (const Node& result : graph->results()) shapes.push_back(result.input_type(0).shape);
  return shapes;
}

}  // namespace

Expected<std::unique_ptr<Graph>> executable_graph(const Graph& graph_def, const std::vector<std::string>& outputs) {
  MO_ASSIGN(const std::string bytes, tensorflow::graph_def_bytes(graph_def));
  const Options options = options_of_evaluation();
  DiagnosticList remarks;
  MO_ASSIGN(std::unique_ptr<Graph> graph, tensorflow::read_graph_bytes(bytes, remarks, outputs));
  MO_ASSIGN(const std::unique_ptr<Assembly> assembly, assemble_for(options, "tf"));
  MO_ASSIGN(const std::unique_ptr<PassManager> manager, make_pipeline(assembly->registry, "tf", options));
  Settings settings = settings_of(options);
  PassContext context{remarks, settings, &manager->config};
  for (const Phase phase : {Phase::extraction, Phase::front, Phase::inference}) MO_TRY(manager->run(phase, *graph, context));
  return graph;
}

Expected<std::vector<Value>> GraphDefEvaluation::put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                                              const std::vector<Value>& arguments) const {
  return tensorflow::put_function(graph, name, prefix, arguments);
}

std::vector<PartialShape> GraphDefEvaluation::shapes_of(const std::vector<Value>& values) const {
  if (values.empty()) return {};
  if (auto all = inferred_shapes(values)) return *std::move(all);
  // One of them stands in the way of all: each by itself.
  std::vector<PartialShape> shapes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto one = inferred_shapes({values[i]})) shapes[i] = one->front();
  return shapes;
}

Expected<Tensor> GraphDefEvaluation::variable(const std::string& checkpoint, const std::string& key, const std::string& slice) const {
  DiagnosticList remarks;
  MO_ASSIGN(const std::unique_ptr<tensorflow::Checkpoint> values, tensorflow::Checkpoint::open(checkpoint, remarks));
  MO_ASSIGN(const std::optional<tensorflow::SliceSpec> part, tensorflow::parse_shape_and_slice(slice));
  return part ? values->read_slice(key, *part) : values->read(key);
}

bool GraphDefEvaluation::can_evaluate(std::string_view op) const {
  if (!assembly_) {
    auto made = assemble_for(options_of_evaluation(), "tf");
    if (!made) return false;
    assembly_ = *std::move(made);
  }
  const OperatorTable* const table = assembly_->registry.find_operators("tf");
  const OperatorTable::Row* const row = table ? table->find(op, 1) : nullptr;
  return row && !row->refuses;
}

std::vector<std::optional<Tensor>> GraphDefEvaluation::evaluate(const std::vector<Value>& values, std::vector<Diagnostic>& why_not) const {
  std::vector<std::optional<Tensor>> found(values.size());
  if (values.empty()) return found;
  if (auto all = computed(values)) {
    for (std::size_t i = 0; i < values.size(); ++i) found[i] = std::move((*all)[i]);
    return found;
  }
  // One of them stands in the way of all: each by itself.
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto one = computed({values[i]});
    if (one)
      found[i] = std::move(one->front());
    else
      why_not.push_back(one.error().first());
  }
  return found;
}

}  // namespace mo::tools
