#include "tools/transform/evaluation.hpp"

#include "core/execution/executor.hpp"
#include "core/graph/copying.hpp"
#include "driver/pipeline.hpp"
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

Expected<std::vector<Tensor>> computed(const std::vector<Value>& values) {
  Graph part;
  part.properties = values.front().graph().properties;  // functions
  GraphCopier copier(part);
  std::vector<std::string> names;
  for (const Value& value : values) {
    MO_TRY(copier.copy(value));
    names.push_back(tensor_name(value));
  }
  MO_ASSIGN(const std::unique_ptr<Graph> graph, executable_graph(part, names));
  return execute(*graph, {});
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
