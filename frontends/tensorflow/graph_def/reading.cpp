#include "frontends/common/field_record.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/attribute_codec.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/graph_def_field.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/graph_reader.hpp"
#include "frontends/tensorflow/model_files.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireSource;

// -- nodes as they stand ----------------------------------------------------------------------------------------------

void GraphReader::note_input(std::string_view text, const Reference& reference) {
  spelled_inputs_.emplace_back(text);
  const std::string_view name = local_name(reference.producer);
  // "x:0" is usually written "x", and a control input comes after all tensors.
  if (reference.is_control) return;
  if (!control_inputs_.empty()) is_usual_ = false;
  if (text.size() == name.size()) return;
  if (reference.port == 0 || text.substr(name.size() + 1) != std::to_string(reference.port)) is_usual_ = false;
}

Expected<void> GraphReader::create_as_it_stands(std::string_view name, const std::string& op, AttributeMap attributes) {
  MO_ASSIGN(const NameId id, claim_name(name, op));
  if (!is_usual_) attributes.set(kept_key::kInputs, std::move(spelled_inputs_));
  const std::vector<Value> unconnected(inputs_.size());
  const Node node =
      graph_.create_node(Op("tf::" + op, std::move(attributes)), unconnected, 1, prefix_ + std::string(name));
  producers_.put(id.index, node.id().index);
  return connect_inputs(node);
}

Expected<void> GraphReader::AttributeReader::keep_field(const WireField& field) {
  if (graph_.purpose_ != Purpose::rewriting) return {};
  AttributeList kept;
  if (AttributeValue* const known = attributes.find(kept_key::kFields))
    kept = std::move(*known->get_if<AttributeList>());
  MO_ASSIGN(AttributeValue record, record_of(graph_.model_.source, field));
  kept.push_back(std::move(record));
  attributes.set(kept_key::kFields, std::move(kept));
  return {};
}

Expected<void> GraphReader::AttributeReader::read_as_it_stands(const WireField& value, const WireField& entry,
                                                               const std::string& key) {
  if (key.starts_with('@')) return keep_field(entry);  // no name of TensorFlow's, and ours must stay ours
  MO_ASSIGN(Spelled read, decode_attribute(graph_.model_.source, value));
  if (!read.spelling.empty()) {
    AttributeMap spellings;
    if (const AttributeValue* const known = attributes.find(kept_key::kSpellings)) spellings = *known->map();
    spellings.set(key, AttributeList{read.value, std::move(read.spelling)});
    attributes.set(kept_key::kSpellings, std::move(spellings));
  }
  attributes.set(key, std::move(read.value));
  return {};
}

Expected<void> GraphReader::read_function_as_it_stands(const Function& function) {
  in_function_ = true;
  for (const Function::Argument& argument : function.inputs) {
    MO_ASSIGN(const NameId id, claim_name(argument.name, "Placeholder"));
    AttributeMap attributes{{"dtype", argument.type}};
    attributes.set(kept_key::kArgument, argument.name);
    const Node node = graph_.create_node(Op("tf::Placeholder", std::move(attributes)), {}, 1, argument.name);
    producers_.put(id.index, node.id().index);
  }
  MO_TRY(read_nodes(function.message, function_field::kNode));
  return connect_pending();
}

Expected<Value> GraphReader::find_returned(std::string_view text) {
  MO_ASSIGN(const Reference reference, parse_reference(text));
  return find(reference);
}

// -- graphs -----------------------------------------------------------------------------------------------------------

namespace {

Expected<std::unique_ptr<Graph>> read_unlinked_source(WireSource& source, DiagnosticSink& sink) {
  return read_graph_def_field(source, whole_of(source), sink);
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_graph_def_field(WireSource& source, const WireField& message,
                                                      DiagnosticSink& sink) {
  ModelState model(source, sink);
  auto graph = std::make_unique<Graph>();
  MO_ASSIGN(AttributeList fields, frontends::records_but(source, message, {graph_field::kNode}));
  if (!fields.empty()) graph->properties.set(kept_key::kFields, std::move(fields));
  GraphReader nodes(model, *graph, {}, Purpose::rewriting);
  MO_TRY(nodes.read_graph_def(message));
  return graph;
}

Expected<std::unique_ptr<Graph>> read_graph_def(const std::string& path, DiagnosticSink& sink) {
  auto graph = [&]() -> Expected<std::unique_ptr<Graph>> {
    MO_ASSIGN(const std::unique_ptr<WireSource> source, open_message(path, TextMessage::graph_def));
    return read_unlinked_source(*source, sink);
  }();
  if (!graph) return std::move(graph).error().in_file(path);
  return graph;
}

Expected<std::unique_ptr<Graph>> read_graph_def_bytes(std::string_view bytes, DiagnosticSink& sink) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  WireSource source(std::move(buffer), "the graph in memory");
  return read_unlinked_source(source, sink);
}

Expected<std::unique_ptr<Graph>> read_graph_def_text(const std::string& text, DiagnosticSink& sink) {
  MO_ASSIGN(const std::string bytes, bytes_from_text(text, TextMessage::graph_def));
  return read_graph_def_bytes(bytes, sink);
}

}  // namespace mo::tensorflow
