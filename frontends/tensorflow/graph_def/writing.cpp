#include "frontends/common/field_record.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/graph_def_field.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/graph_def/node_encoder.hpp"
#include "frontends/tensorflow/model_state.hpp"
#include "frontends/tensorflow/text_form.hpp"

namespace mo::tensorflow {
namespace {

using frontends::number_of_record;

/// Calls `put(encoding)` for pieces that together are the message.
template <class Put>
Expected<void> encode_graph(const Graph& graph, Put&& put) {
  NodeEncoder nodes;
  Encoding field;
  for (const Node node : graph.nodes()) {
    MO_ASSERT(!op_of(node).empty(), "a graph that is written as a GraphDef has nodes of TensorFlow only");
    MO_ASSIGN(const Encoding* const message, nodes.encode(node));
    field.clear();
    field.message(graph_field::kNode, *message);
    MO_TRY(put(field));
  }
  const AttributeValue* const fields = graph.properties.find(kept_key::kFields);
  if (!fields) return {};
  field.clear();
  for (const AttributeValue& record : *fields->get_if<AttributeList>()) encode_record(record, field);
  return put(field);
}

}  // namespace

Expected<Encoding> graph_def_encoding(const Graph& graph) {
  Encoding whole;
  MO_TRY(encode_graph(graph, [&](const Encoding& piece) -> Expected<void> {
    whole.append(piece);
    return {};
  }));
  return whole;
}

Expected<void> write_graph_def(const Graph& graph, OutputFile& file) {
  return encode_graph(graph, [&](const Encoding& piece) { return piece.write(file); });
}

Expected<std::string> graph_def_bytes(const Graph& graph) {
  std::string bytes;
  MO_TRY(encode_graph(graph, [&](const Encoding& piece) { return piece.append_to(bytes); }));
  return bytes;
}

Expected<std::string> graph_def_text(const Graph& graph) {
  MO_ASSIGN(const std::string bytes, graph_def_bytes(graph));
  return text_from_bytes(bytes, TextMessage::graph_def);
}

void drop_versions(Graph& graph) {
  AttributeValue* const fields = graph.properties.find(kept_key::kFields);
  if (!fields) return;
  std::erase_if(*fields->get_if<AttributeList>(), [](const AttributeValue& record) {
    const std::uint32_t number = number_of_record(record);
    return number == graph_field::kVersion || number == graph_field::kVersions;
  });
}

}  // namespace mo::tensorflow
