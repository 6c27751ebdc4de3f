#include <unordered_set>

#include "frontends/common/field_record.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/graph_proto.hpp"
#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "frontends/onnx/model_state.hpp"

namespace mo::onnx {
namespace {

using frontends::Encoding;
using frontends::number_of_record;
using frontends::payload_of_record;
using EditInner = std::function<Expected<void>(InnerGraph&)>;

/// A field of bytes with another content.
Expected<AttributeValue> record_with(std::uint32_t number, const Encoding& message) {
  std::string bytes;
  MO_TRY(message.append_to(bytes));
  MO_ASSIGN(const auto source, source_in_memory(bytes, "a graph inside of the model"));
  frontends::WireField whole = whole_of(*source);
  whole.number = number;
  return record_of(*source, whole);
}

std::unordered_set<std::string> names_in(const Graph& graph) {
  std::unordered_set<std::string> names;
  for (const Node node : graph.nodes()) names.emplace(node.name());
  return names;
}

class InnerEditor {
 public:
  InnerEditor(const EditInner& edit, const Graph& model) : edit_(edit), opset_(operator_version(model)) {
    const AttributeValue* const fields = model.properties.find(kept_key::kModelFields);
    if (fields) fields_ = *fields->get_if<AttributeList>();
  }

  /// The bodies of the nodes.
  Expected<void> edit_bodies(Graph& graph, int depth) {
    if (depth > limits::kDepth)
      return error("MO-ONNX-0017", "graphs in attributes are nested more than {} deep", limits::kDepth)
          .hint("the file is corrupt: compare its checksum, and download or export it again");
    for (const Node node : graph.nodes()) {
      AttributeMap& attributes = *static_cast<AttributeMap*>(node.payload());
      std::vector<std::pair<std::string, AttributeValue>> changed;
      for (const AttributeMap::Item& item : attributes) {
        const AttributeValue* const wire = item.value.map() ? item.value.map()->find(kept_key::kWire) : nullptr;
        const AttributeList* const records = wire ? wire->get_if<AttributeList>() : nullptr;
        if (!records) continue;
        MO_ASSIGN(std::optional<AttributeList> edited,
                  edit_records(*records, fmt::format("{}/{}", node.name(), item.name), depth));
        if (edited) changed.emplace_back(item.name, AttributeMap{{std::string(kept_key::kWire), *std::move(edited)}});
      }
      for (auto& [name, value] : changed) attributes.set(name, std::move(value));
    }
    return {};
  }

  Expected<AttributeValue> edit_function(const AttributeValue& record) {
    return edit_message(record, InnerMessage::function, "a function", 0);
  }

 private:
  Expected<std::optional<AttributeList>> edit_records(const AttributeList& records, const std::string& name,
                                                      int depth) {
    std::optional<AttributeList> edited;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::uint32_t number = number_of_record(records[i]);
      if ((number != attribute_field::kGraph && number != attribute_field::kGraphs) || !payload_of_record(records[i]))
        continue;
      if (!edited) edited = records;
      MO_ASSIGN((*edited)[i], edit_message(records[i], InnerMessage::body, name, depth));
    }
    return edited;
  }

  Expected<AttributeValue> edit_message(const AttributeValue& record, InnerMessage kind, const std::string& name,
                                        int depth) {
    MO_ASSIGN(const std::unique_ptr<Graph> graph, read_inner_message(*payload_of_record(record), kind, opset_));
    graph->properties.set(kept_key::kModelFields, kind == InnerMessage::body ? fields_ : fields_of_function(*graph));
    MO_TRY(edit_bodies(*graph, depth + 1));
    const std::unordered_set<std::string> before = names_in(*graph);
    InnerGraph inner{name, *graph, model_inputs(*graph), model_outputs(*graph)};
    for (std::string& captured : captured_tensors(*graph)) inner.outputs.push_back(std::move(captured));
    MO_TRY(edit_(inner));
    if (kind == InnerMessage::body) set_apart(*graph, before);
    MO_ASSIGN(const Encoding message, encode_inner_message(*graph, kind));
    return record_with(number_of_record(record), message);
  }

  /// Those of a model that holds the function: it says itself which operator sets it uses.
  AttributeList fields_of_function(const Graph& function) const {
    AttributeList fields;
    for (const AttributeValue& record : fields_)
      if (number_of_record(record) != model_field::kOpsetImport) fields.push_back(record);
    for (const AttributeValue& record : *function.properties.find(kept_key::kFunctionFields)->get_if<AttributeList>()) {
      if (number_of_record(record) != function_field::kOpsetImport) continue;
      AttributeList import = *record.get_if<AttributeList>();
      import.front() = std::int64_t{model_field::kOpsetImport};
      fields.emplace_back(std::move(import));
    }
    return fields;
  }

  /// ONNX: a graph inside of another one must not use its names.
  void set_apart(Graph& graph, const std::unordered_set<std::string>& before) {
    const std::size_t number = count_++;
    for (const Node node : graph.nodes())
      if (!before.contains(std::string(node.name()))) node.set_name(fmt::format("inner{}/{}", number, node.name()));
  }

  const EditInner& edit_;
  std::int64_t opset_;
  AttributeList fields_;  ///< of the model
  std::size_t count_ = 0;
};

}  // namespace

Expected<void> edit_inner_graphs(Graph& graph, const EditInner& edit) {
  InnerEditor editor(edit, graph);
  MO_TRY(editor.edit_bodies(graph, 0));
  const AttributeValue* const kept = graph.properties.find(kept_key::kModelFields);
  if (!kept) return {};
  AttributeList fields = *kept->get_if<AttributeList>();
  for (AttributeValue& record : fields)
    if (number_of_record(record) == model_field::kFunctions && payload_of_record(record)) {
      MO_ASSIGN(record, editor.edit_function(record));
    }
  graph.properties.set(kept_key::kModelFields, std::move(fields));
  return {};
}

}  // namespace mo::onnx
