#include "frontends/tensorflow/reader.hpp"

#include "frontends/common/file_kind.hpp"
#include "frontends/tensorflow/changed_variables.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_reader.hpp"
#include "frontends/tensorflow/link.hpp"
#include "frontends/tensorflow/model_files.hpp"
#include "frontends/tensorflow/saved_model.hpp"
#include "frontends/tensorflow/text_form.hpp"
#include "frontends/tensorflow/variables.hpp"

namespace mo::tensorflow {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

/// A MetaGraphDef or a SavedModel begins like no GraphDef: with messages or numbers of its own.
Expected<void> check_graph_def(WireSource& source) {
  std::size_t nodes = 0;
  bool is_saved_model = false;
  WireReader reader(source);
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == graph_field::kNode && field.type == WireType::bytes) ++nodes;
    if (field.number == saved_model_field::kSchemaVersion && field.type == WireType::varint) is_saved_model = true;
    return {};
  }));
  if (is_saved_model)
    return error("MO-TF-0001", "\"{}\" is a SavedModel, not a GraphDef", source.name())
        .hint("give its folder: --saved_model_dir");
  if (nodes == 0)
    return error("MO-TF-0001", "\"{}\" has no nodes", source.name())
        .hint("the model is empty, or is not a TensorFlow GraphDef");
  return {};
}

/// What all forms have in common once their nodes are there: outputs, functions, variables.
Expected<void> link(ModelState& model, Graph& graph, const ModelSource& request, VariableBinder& variables, Stage stage,
                    std::string_view restore_op = {}) {
  // The outputs of a SavedModel are there already.
  const std::vector<std::string> requested =
      request.saved_model_dir.empty() ? request.outputs : std::vector<std::string>();
  if (!request.tensors.empty()) MO_TRY(add_results(graph, request.tensors));
  // Names inside of functions are not nodes yet: then everything has to stay.
  const bool all_found = !requested.empty() && add_requested_results(graph, requested);
  if (!all_found && graph.results().empty()) MO_TRY(add_results_of_sinks(graph, stage));
  // A signature says which inputs there are.
  const std::vector<Node> wanted_inputs =
      model.has_signature ? std::vector<Node>() : hold_inputs(graph, request.inputs);
  MO_TRY(variables.find_restored(graph, restore_op));
  hang_on_pivots(graph);
  // What happens to variables before they are read must be known, also inside of functions.
  remove_unneeded(graph, Effects::kept);
  MO_TRY(inline_functions(model, graph));
  mark_changed_reads(graph);
  remove_unneeded(graph);
  MO_TRY(variables.bind(graph));
  remove_unneeded(graph);
  for (auto result = wanted_inputs.rbegin(); result != wanted_inputs.rend(); ++result) graph.erase(*result);
  name_ends(graph, model.calls, request.names, model.has_signature);
  graph.compact();
  return {};
}

Expected<std::unique_ptr<Graph>> read_and_link(WireSource& source, const ModelSource& request, DiagnosticSink& sink) {
  MO_TRY(check_graph_def(source));
  ModelState model(source, sink);
  auto graph = std::make_unique<Graph>();
  MO_TRY(GraphReader(model, *graph).read_graph_def(whole_of(source)));
  VariableBinder variables;
  if (!request.checkpoint.empty()) MO_TRY(variables.open(request.checkpoint, request.links, sink));
  MO_TRY(link(model, *graph, request, variables, Stage::frozen));
  return graph;
}

Expected<std::unique_ptr<Graph>> read_meta_graph(WireSource& source, const ModelSource& request,
                                                 const std::string& checkpoint, DiagnosticSink& sink) {
  ModelState model(source, sink);
  MO_ASSIGN(const MetaGraph meta, read_meta_graph_header(source, whole_of(source)));
  if (!meta.graph_def.has_value())
    return error("MO-TF-0001", "\"{}\" has no graph", source.name())
        .hint("the file is empty, or is not a TensorFlow MetaGraphDef");
  auto graph = std::make_unique<Graph>();
  MO_TRY(read_ops(model, meta));
  MO_TRY(GraphReader(model, *graph).read_graph_def(*meta.graph_def));
  VariableBinder variables;
  if (!checkpoint.empty()) MO_TRY(variables.open(checkpoint, request.links, sink));
  if (!request.signature.empty() && request.outputs.empty())
    MO_TRY(apply_signature(model, *graph, meta, request.signature));
  if (meta.object_graph) MO_TRY(variables.find_captured(source, *meta.object_graph, *graph));
  MO_TRY(link(model, *graph, request, variables, Stage::training, meta.restore_op));
  return graph;
}

Expected<std::unique_ptr<Graph>> read_saved_model(const ModelSource& request, DiagnosticSink& sink) {
  MO_ASSIGN(const SavedModelFiles files, find_saved_model(request.saved_model_dir));
  MO_ASSIGN(const std::unique_ptr<WireSource> source, open_message(files.model, TextMessage::saved_model));
  ModelState model(*source, sink);
  MO_ASSIGN(const MetaGraph meta, choose_meta_graph(*source, request.tags));
  auto graph = std::make_unique<Graph>();
  MO_TRY(read_ops(model, meta));
  MO_TRY(GraphReader(model, *graph).read_graph_def(*meta.graph_def));
  VariableBinder variables;
  if (!files.variables.empty()) MO_TRY(variables.open(files.variables, request.links, sink));
  MO_ASSIGN(const std::string signature, choose_signature(meta, request.signature));
  if (!signature.empty()) MO_TRY(apply_signature(model, *graph, meta, signature));
  if (meta.object_graph) MO_TRY(variables.find_captured(*source, *meta.object_graph, *graph));
  // What the user asks for comes on top of the signature when it lies inside of functions.
  if (!request.outputs.empty()) {
    std::vector<Node> of_signature = graph->results();
    if (add_requested_results(*graph, request.outputs)) {
      for (const Node& result : graph->results())
        for (const Node& known : of_signature)
          if (known.input(0) == result.input(0)) result.set_name(known.name());
      for (const Node& result : of_signature) graph->erase(result);
    }
  }
  MO_TRY(link(model, *graph, request, variables, Stage::training, meta.restore_op));
  return graph;
}

/// For a model that is said to be text.
Expected<void> report_binary_model(const std::string& path, DiagnosticSink& sink) {
  MO_ASSIGN(const bool is_text, is_text_file(path));
  if (!is_text)
    sink.report(warning("MO-TF-0018", "--input_model_is_text: \"{}\" is binary, and is read as binary", path)
                    .hint("leave --input_model_is_text out"));
  return {};
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_model(const ModelSource& model, DiagnosticSink& sink) {
  const std::string& path = !model.saved_model_dir.empty() ? model.saved_model_dir
                            : !model.meta_graph.empty()    ? model.meta_graph
                                                           : model.input_model;
  auto graph = [&]() -> Expected<std::unique_ptr<Graph>> {
    if (!model.saved_model_dir.empty()) return read_saved_model(model, sink);
    const bool is_meta = !model.meta_graph.empty();
    MO_ASSIGN(const std::unique_ptr<WireSource> source,
              open_message(path, is_meta ? TextMessage::meta_graph : TextMessage::graph_def));
    if (model.is_text) MO_TRY(report_binary_model(path, sink));
    if (is_meta) return read_meta_graph(*source, model, checkpoint_of_meta_graph(model), sink);
    return read_and_link(*source, model, sink);
  }();
  if (!graph) return std::move(graph).error().in_file(path);
  return graph;
}

Expected<std::unique_ptr<Graph>> read_meta_graph_bytes(std::string_view bytes, const std::string& checkpoint,
                                                       DiagnosticSink& sink,
                                                       const std::vector<TensorOfModel>& outputs) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  WireSource source(std::move(buffer), "the model in memory");
  ModelSource request;
  request.tensors = outputs;
  return read_meta_graph(source, request, checkpoint, sink);
}

Expected<std::unique_ptr<Graph>> read_graph_bytes(std::string_view bytes, DiagnosticSink& sink,
                                                  const std::vector<TensorOfModel>& outputs) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  WireSource source(std::move(buffer), "the model in memory");
  ModelSource request;
  request.tensors = outputs;
  return read_and_link(source, request, sink);
}

Expected<std::unique_ptr<Graph>> read_graph_text(const std::string& text, DiagnosticSink& sink) {
  MO_ASSIGN(const std::string bytes, bytes_from_text(text, TextMessage::graph_def));
  return read_graph_bytes(bytes, sink);
}

}  // namespace mo::tensorflow
