#include "frontends/tensorflow/graph_def/unfrozen_model.hpp"

#include "frontends/common/field_record.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/graph_def_field.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/graph_def/saved_model_graph.hpp"
#include "frontends/tensorflow/model_files.hpp"
#include "frontends/tensorflow/saved_model.hpp"

namespace mo::tensorflow {
namespace {

using frontends::WireSource;

/// Learns which tensor of the checkpoint belongs to which variable.
Expected<void> find_bindings(UnfrozenModel& found, WireSource& source, const MetaGraph& meta) {
  MO_TRY(found.variables->find_restored(*found.graph, meta.restore_op));
  return meta.object_graph ? found.variables->find_captured(source, *meta.object_graph, *found.graph)
                           : Expected<void>();
}

Expected<void> read_saved_model(const ModelSource& model, DiagnosticSink& sink, UnfrozenModel& found) {
  MO_ASSIGN(const SavedModelFiles files, find_saved_model(model.saved_model_dir));
  MO_ASSIGN(found.graph, read_saved_model_graph(model.saved_model_dir, model.tags, sink));
  found.inputs = signature_inputs(*found.graph);
  found.outputs = signature_outputs(*found.graph);
  for (const std::string_view key :
       {kept_key::kSavedModel, kept_key::kMetaGraph, kept_key::kSignatures, kept_key::kLoading, kept_key::kVariables})
    found.graph->properties.erase(std::string(key));
  if (files.variables.empty()) return {};
  MO_TRY(found.variables->open(files.variables, model.links, sink));
  MO_ASSIGN(const std::unique_ptr<WireSource> source, open_message(files.model, TextMessage::saved_model));
  MO_ASSIGN(const MetaGraph meta, choose_meta_graph(*source, model.tags));
  return find_bindings(found, *source, meta);
}

Expected<void> read_meta_graph(const ModelSource& model, DiagnosticSink& sink, UnfrozenModel& found) {
  MO_ASSIGN(const std::unique_ptr<WireSource> source, open_message(model.meta_graph, TextMessage::meta_graph));
  MO_ASSIGN(const MetaGraph meta, read_meta_graph_header(*source, whole_of(*source)));
  if (!meta.graph_def)
    return error("MO-TF-0001", "\"{}\" has no graph", source->name())
        .hint("the file is empty, or is not a TensorFlow MetaGraphDef");
  MO_ASSIGN(found.graph, read_graph_def_field(*source, *meta.graph_def, sink));
  const std::string checkpoint = checkpoint_of_meta_graph(model);
  if (checkpoint.empty()) return {};
  MO_TRY(found.variables->open(checkpoint, model.links, sink));
  return find_bindings(found, *source, meta);
}

}  // namespace

Expected<UnfrozenModel> read_unfrozen_model(const ModelSource& model, DiagnosticSink& sink) {
  const std::string& path = !model.saved_model_dir.empty() ? model.saved_model_dir
                            : !model.meta_graph.empty()    ? model.meta_graph
                                                           : model.input_model;
  UnfrozenModel found{nullptr, std::make_unique<VariableBinder>(), {}, {}};
  auto done = [&]() -> Expected<void> {
    if (!model.saved_model_dir.empty()) return read_saved_model(model, sink, found);
    if (!model.meta_graph.empty()) return read_meta_graph(model, sink, found);
    MO_ASSIGN(found.graph, read_graph_def(model.input_model, sink));
    if (!model.checkpoint.empty()) MO_TRY(found.variables->open(model.checkpoint, model.links, sink));
    return found.variables->find_restored(*found.graph, {});
  }();
  if (!done) return std::move(done).error().in_file(path);
  return found;
}

void drop_library(Graph& graph) {
  AttributeValue* const fields = graph.properties.find(kept_key::kFields);
  if (!fields) return;
  std::erase_if(*fields->get_if<AttributeList>(), [](const AttributeValue& record) {
    return frontends::number_of_record(record) == graph_field::kLibrary;
  });
}

}  // namespace mo::tensorflow
