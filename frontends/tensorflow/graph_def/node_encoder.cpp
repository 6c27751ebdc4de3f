#include "frontends/tensorflow/graph_def/node_encoder.hpp"

#include <algorithm>

#include "frontends/common/field_record.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"

namespace mo::tensorflow {

using frontends::is_as_read;

Expected<const Encoding*> NodeEncoder::encode(const Node& node) {
  message_.clear();
  message_.bytes(node_field::kName, node.name());
  message_.bytes(node_field::kOp, op_of(node));
  attributes_ = static_cast<const AttributeMap*>(node.payload());
  MO_TRY(encode_inputs(node));
  if (const AttributeValue* device = attributes_->find(kept_key::kDevice))
    if (const std::string* text = device->get_if<std::string>(); text && !text->empty())
      message_.bytes(node_field::kDevice, *text);
  if (auto done = encode_attributes(); !done) return node.describe(std::move(done).error());
  if (const AttributeValue* fields = attributes_->find(kept_key::kFields))
    for (const AttributeValue& record : *fields->get_if<AttributeList>()) encode_record(record, message_);
  return &message_;
}

namespace {

/// What reads the node would be read as something else: ':' begins a port, and '^' an input that is only waited for.
Expected<void> check_name(const Node& source) {
  const std::string_view name = source.name();
  if (!name.starts_with('^') && name.find(':') == std::string_view::npos) return {};
  return source.error("MO-TF-0055", "no node of a GraphDef can read '{}'", name)
      .hint("rename the node: ':' and a '^' at the beginning are not possible");
}

}  // namespace

/// What the node reads as a GraphDef says it: tensors, then "^node".
Expected<void> NodeEncoder::list_inputs(const Node& node) {
  inputs_.clear();
  for (const InPort& port : node.in_ports()) {
    const Value source = port.get_source();
    if (!source)
      return node.error("MO-TF-0051", "input {} is read from nowhere", port.index())
          .hint("a transform has taken its producer away: see the steps before");
    MO_TRY(check_name(source.node()));
    const std::size_t number = source.index();
    inputs_.push_back(number == 0 ? std::string(source.node().name())
                                  : fmt::format("{}:{}", source.node().name(), number));
  }
  for (const Node& before : node.control_inputs()) {
    MO_TRY(check_name(before));
    inputs_.push_back(fmt::format("^{}", before.name()));
  }
  return {};
}

std::vector<std::string> sources_of(const Node& node) {
  std::vector<std::string> sources;
  for (const InPort& port : node.in_ports())
    if (const Value source = port.get_source())
      sources.push_back(fmt::format("{} {}:{}", op_of(source.node()), source.node().name(), source.index()));
  for (const Node& before : node.control_inputs()) sources.push_back(fmt::format("^{}", before.name()));
  return sources;
}

Expected<void> NodeEncoder::encode_inputs(const Node& node) {
  MO_TRY(list_inputs(node));
  if (reference_) return encode_references(node);
  const AttributeValue* const spelled = attributes_->find(kept_key::kInputs);
  const std::vector<std::string>* const as_read = spelled ? spelled->get_if<std::vector<std::string>>() : nullptr;
  for (const std::string& input : as_read&& mean_the_same(*as_read, node.in_port_count()) ? *as_read : inputs_)
    message_.bytes(node_field::kInput, input);
  return {};
}

Expected<void> NodeEncoder::encode_references(const Node& node) {
  const AttributeValue* const spelled = attributes_->find(kept_key::kInputs);
  const AttributeValue* const sources = attributes_->find(kept_key::kSources);
  if (spelled && sources && *sources->get_if<std::vector<std::string>>() == sources_of(node)) {
    for (const std::string& input : *spelled->get_if<std::vector<std::string>>())
      message_.bytes(node_field::kInput, input);
    return {};
  }
  for (const InPort& port : node.in_ports()) {
    MO_ASSIGN(const std::string input, reference_(port.get_source()));
    message_.bytes(node_field::kInput, input);
  }
  for (std::size_t i = node.in_port_count(); i < inputs_.size(); ++i) message_.bytes(node_field::kInput, inputs_[i]);
  return {};
}

/// Whether the inputs are still those that the file spelled in its own way.
bool NodeEncoder::mean_the_same(const std::vector<std::string>& spelled, std::size_t tensors) const {
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

Expected<void> NodeEncoder::encode_attributes() {
  sorted_.clear();
  for (const AttributeMap::Item& item : *attributes_)
    if (!item.name.starts_with('@')) sorted_.push_back(&item);
  std::sort(sorted_.begin(), sorted_.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  const AttributeValue* const known = attributes_->find(kept_key::kSpellings);
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

}  // namespace mo::tensorflow
