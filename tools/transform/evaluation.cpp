#include "tools/transform/evaluation.hpp"

#include "core/execution/executor.hpp"
#include "core/graph/copying.hpp"
#include "core/pass/graph_copier.hpp"
#include "driver/pipeline.hpp"
#include "frontends/common/tensor_references.hpp"
#include "frontends/tensorflow/checkpoint/checkpoint.hpp"
#include "graph_transforms/engine/editor.hpp"

namespace mo::tools {
namespace {

Options options_of_evaluation(const ModelFormat& format) {
  Options options;
  options.framework = format.framework();
  return options;
}

/// What the tensors are computed from, translated; their Results in the same order.
Expected<std::unique_ptr<Graph>> executable_part(const std::vector<Value>& values) {
  Graph part;
  part.properties = values.front().graph().properties;  // functions
  GraphCopier copier(part);
  std::vector<Value> copies;
  for (const Value& value : values) {
    MO_ASSIGN(const Value copy, copier.copy(value));
    copies.push_back(copy);
  }
  return executable_graph(copies);
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

Expected<std::vector<Value>> tensors_of(Graph& graph, const std::vector<std::string>& references) {
  const frontends::TensorReferences all(graph);
  std::vector<Value> tensors;
  for (const std::string& reference : references) {
    const frontends::TensorReference found = all.find(reference);
    if (!found.node)
      return error("MO-GTT-0018", "there is no node of the tensor '{}'", reference).hint("correct --outputs");
    tensors.push_back(found.node.add_output_port(found.port));
  }
  return tensors;
}

Expected<std::unique_ptr<Graph>> executable_graph(const std::vector<Value>& outputs) {
  MO_ASSERT(!outputs.empty(), "there is no output to compute");
  const Graph& model = outputs.front().graph();
  const ModelFormat& format = format_of_graph(model);
  const Options options = options_of_evaluation(format);
  DiagnosticList remarks;
  MO_ASSIGN(std::unique_ptr<Graph> graph, format.linked(model, outputs, remarks));
  MO_ASSIGN(const std::unique_ptr<Assembly> assembly, assemble_for(options, format.framework()));
  MO_ASSIGN(const std::unique_ptr<PassManager> manager, make_pipeline(assembly->registry, options.framework, options));
  Settings settings = settings_of(options);
  PassContext context{remarks, settings, &manager->config};
  for (const Phase phase : {Phase::extraction, Phase::front, Phase::inference})
    MO_TRY(manager->run(phase, *graph, context));
  MO_ASSERT(graph->results().size() == outputs.size(), "each tensor that is to be computed has its Result");
  return graph;
}

std::vector<PartialShape> ModelEvaluation::shapes_of(const std::vector<Value>& values) const {
  if (values.empty()) return {};
  if (auto all = inferred_shapes(values)) return *std::move(all);
  // One of them stands in the way of all: each by itself.
  std::vector<PartialShape> shapes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const auto one = inferred_shapes({values[i]})) shapes[i] = one->front();
  return shapes;
}

Expected<Tensor> ModelEvaluation::variable(const std::string& checkpoint, const std::string& key,
                                           const std::string& slice) const {
  DiagnosticList remarks;
  MO_ASSIGN(const std::unique_ptr<tensorflow::Checkpoint> values, tensorflow::Checkpoint::open(checkpoint, remarks));
  MO_ASSIGN(const std::optional<tensorflow::SliceSpec> part, tensorflow::parse_shape_and_slice(slice));
  return part ? values->read_slice(key, *part) : values->read(key);
}

bool ModelEvaluation::can_evaluate(const Node& node) const {
  if (!assembly_) {
    auto made = assemble_for(options_of_evaluation(format_), format_.framework());
    if (!made) return false;
    assembly_ = *std::move(made);
  }
  const OperatorTable* const table = assembly_->registry.find_operators(std::string(format_.framework()));
  const OperatorTable::Row* const row =
      table ? table->find(graph_transforms::op_of(node), format_.operator_version(node.graph())) : nullptr;
  return row && !row->refuses;
}

std::vector<std::optional<Tensor>> ModelEvaluation::evaluate(const std::vector<Value>& values,
                                                             std::vector<Diagnostic>& why_not) const {
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
