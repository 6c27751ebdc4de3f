#include <algorithm>

#include "frontends/common/field_record.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/attribute_codec.hpp"
#include "frontends/tensorflow/graph_def/attribute_keys.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/graph_def_field.hpp"
#include "frontends/tensorflow/model_state.hpp"
#include "frontends/tensorflow/text_form.hpp"

namespace mo::tensorflow {
namespace {

using frontends::is_as_read;
using frontends::number_of_record;

/// Builds one NodeDef after the other; keeps its memory.
class NodeEncoder {
 public:
  /// The NodeDef of `node`, valid until the next call.
  Expected<const Encoding*> encode(const Node& node) {
    message_.clear();
    message_.bytes(node_field::kName, node.name());
    message_.bytes(node_field::kOp, op_of(node));
    attributes_ = static_cast<const AttributeMap*>(node.payload());
    MO_TRY(encode_inputs(node));
    if (const AttributeValue* device = attributes_->find(graph_def_key::kDevice))
      if (const std::string* text = device->get_if<std::string>(); text && !text->empty()) message_.bytes(node_field::kDevice, *text);
    if (auto done = encode_attributes(); !done) return node.describe(std::move(done).error());
    if (const AttributeValue* fields = attributes_->find(graph_def_key::kFields))
      for (const AttributeValue& record : *fields->get_if<AttributeList>()) encode_record(record, message_);
    return &message_;
  }

 private:
  Expected<void> encode_inputs(const Node& node) {
    inputs_.clear();
    for (const InPort& port : node.in_ports()) {
      const Value source = port.get_source();
      if (!source)
        return node.error("MO-TF-0051", "input {} is read from nowhere", port.index())
            .hint("a transform has taken its producer away: see the steps before");
      const std::size_t number = source.index();
      inputs_.push_back(number == 0 ? std::string(source.node().name()) : fmt::format("{}:{}", source.node().name(), number));
    }
    const std::size_t tensors = inputs_.size();
    for (const Node& before : node.control_inputs()) inputs_.push_back(fmt::format("^{}", before.name()));
    const AttributeValue* const spelled = attributes_->find(graph_def_key::kInputs);
    const std::vector<std::string>* const as_read = spelled ? spelled->get_if<std::vector<std::string>>() : nullptr;
    for (const std::string& input : as_read&& mean_the_same(*as_read, tensors) ? *as_read : inputs_) message_.bytes(node_field::kInput, input);
    return {};
  }

  /// Whether the inputs are still those that the file spelled in its own way.
  bool mean_the_same(const std::vector<std::string>& spelled, std::size_t tensors) const {
    if (spelled.size() != inputs_.size()) return false;
    std::size_t tensor = 0;
    std::size_t control = tensors;
    for (const std::string_view text : spelled) {
      const std::string_view usual = text.ends_with(":0") ? text.substr(0, text.size() - 2) : text;
      std::size_t& next = text.starts_with('^') ? control : tensor;
      if (next >= (text.starts_with('^') ? inputs_.size() : tensors) || inputs_[next++] != usual) return false;
    }
    return true;
  }

  Expected<void> encode_attributes() {
    sorted_.clear();
    for (const AttributeMap::Item& item : *attributes_)
      if (!item.name.starts_with('@')) sorted_.push_back(&item);
    std::sort(sorted_.begin(), sorted_.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    const AttributeValue* const known = attributes_->find(graph_def_key::kSpellings);
    const AttributeValue* const dtype = attributes_->find("dtype");
    const std::int64_t tensor_type = dtype ? data_type_in(*dtype) : 0;
    for (const AttributeMap::Item* item : sorted_) {
      value_.clear();
      const AttributeValue* const spelling = known ? known->map()->find(item->name) : nullptr;
      const AttributeList* const read = spelling ? spelling->get_if<AttributeList>() : nullptr;
      if (read && is_as_read(item->value, read->front()))
        value_.append(*read->back().get_if<Tensor>());
      else
        MO_TRY(encode_attribute(item->value, tensor_type, value_));
      entry_.clear();
      entry_.bytes(frontends::entry_field::kKey, item->name);
      entry_.message(frontends::entry_field::kValue, value_);
      message_.message(node_field::kAttribute, entry_);
    }
    return {};
  }

  const AttributeMap* attributes_ = nullptr;
  Encoding message_;
  Encoding entry_;
  Encoding value_;
  std::vector<std::string> inputs_;
  std::vector<const AttributeMap::Item*> sorted_;
};

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
  const AttributeValue* const fields = graph.properties.find(graph_def_key::kFields);
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
  AttributeValue* const fields = graph.properties.find(graph_def_key::kFields);
  if (!fields) return;
  std::erase_if(*fields->get_if<AttributeList>(), [](const AttributeValue& record) {
    const std::uint32_t number = number_of_record(record);
    return number == graph_field::kVersion || number == graph_field::kVersions;
  });
}

}  // namespace mo::tensorflow
