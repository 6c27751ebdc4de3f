#include "frontends/onnx/model_proto/rewriting_reader.hpp"

#include <optional>
#include <unordered_set>
#include <utility>

#include "frontends/common/field_record.hpp"
#include "frontends/onnx/attribute_message.hpp"
#include "frontends/onnx/encoding.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_proto/tensor_names.hpp"

namespace mo::onnx {

using frontends::Encoding;
using frontends::WireField;
using frontends::WireReader;

namespace {

const AttributeList& list_in(const AttributeMap& map, std::string_view name) {
  return *map.find(name)->get_if<AttributeList>();
}

/// Constant {value}, {value_float}, {value_int}, {value_floats} and {value_ints} as the tensor that they give.
bool make_constant(AttributeMap& attributes) {
  const AttributeMap::Item* only = nullptr;
  for (const AttributeMap::Item& item : attributes) {
    if (item.name.starts_with('@')) continue;
    if (only) return false;
    only = &item;
  }
  if (!only) return false;
  std::optional<Tensor> value;
  const std::string name = only->name;
  AttributeValue given = only->value;
  if (const auto* tensor = given.get_if<Tensor>(); tensor && name == "value") value = *tensor;
  if (const auto* real = given.get_if<double>(); real && name == "value_float")
    value = Tensor::scalar(static_cast<float>(*real));
  if (const auto* integer = given.get_if<std::int64_t>(); integer && name == "value_int")
    value = Tensor::scalar(*integer);
  if (const auto* integers = given.get_if<std::vector<std::int64_t>>(); integers && name == "value_ints")
    value = Tensor::vector(*integers);
  if (const auto* reals = given.get_if<std::vector<double>>(); reals && name == "value_floats")
    value = Tensor::vector(std::vector<float>(reals->begin(), reals->end()));
  if (!value) return false;
  // As it was written, to be written again while the value is the same.
  attributes.set(kept_key::kConstant, AttributeList{*value, name, std::move(given)});
  attributes.erase(name);
  attributes.set("dtype", value->element_type());
  attributes.set("value", *std::move(value));
  return true;
}

}  // namespace

// -- records of fields ------------------------------------------------------------------------------------------------

/// [name, ValueInfoProto].
Expected<AttributeValue> RewritingReader::named_value(std::string name, const WireField& field) {
  MO_ASSIGN(const AttributeValue whole, record_of(model_.source, field));
  return AttributeValue(AttributeList{std::move(name), *frontends::payload_of_record(whole)});
}

Expected<void> RewritingReader::take_graph_field(const WireField& field) {
  AttributeList* list = &fields_;
  AttributeValue kept;
  switch (field.number) {
    case graph_field::kInitializer: {
      MO_ASSIGN(AttributeList records, frontends::records_but(model_.source, field, {tensor_field::kName}));
      initializers_.push_back(std::move(records));
      return {};
    }
    case graph_field::kInput: {
      MO_ASSIGN(kept, named_value(parts_.inputs.back().name, field));
      list = &inputs_;
      break;
    }
    case graph_field::kOutput: {
      MO_ASSIGN(kept, named_value(parts_.outputs.back(), field));
      list = &outputs_;
      break;
    }
    case graph_field::kValueInfo: {
      std::string name;
      MO_ASSIGN(WireReader reader, message_of(model_.source, field));
      MO_TRY(reader.each([&](const WireField& part) -> Expected<void> {
        if (part.number != value_field::kName) return {};
        MO_ASSIGN(name, text_of(model_.source, part));
        return {};
      }));
      MO_ASSIGN(kept, named_value(std::move(name), field));
      list = &value_info_;
      break;
    }
    default: {
      MO_ASSIGN(kept, record_of(model_.source, field));
    }
  }
  if (field.number == graph_field::kSparseInitializer)
    initializers_.push_back({std::move(kept)});
  else
    list->push_back(std::move(kept));
  return {};
}

// -- nodes ------------------------------------------------------------------------------------------------------------

Expected<void> RewritingReader::take_node_field(const WireField& field) {
  MO_ASSIGN(AttributeValue record, record_of(model_.source, field));
  node_fields_.push_back(std::move(record));
  return {};
}

/// What is given to a graph in an attribute.
Expected<void> RewritingReader::add_captures(const WireField& body) {
  MO_TRY(check_depth());
  RewritingReader reader(model_, depth_ + 1);
  MO_TRY(reader.read_body(body, 1));
  captures_.insert(reader.given_.begin(), reader.given_.end());
  return {};
}

Expected<void> RewritingReader::take_attribute(const WireField& field) {
  AttributeMessage message;
  MO_TRY(message.read(model_.source, field, node_.attributes));
  for (const WireField& inner : message.messages)
    if (inner.number == attribute_field::kGraph || inner.number == attribute_field::kGraphs)
      MO_TRY(add_captures(inner));
  AttributeValue value;
  if (const auto number = message.value_field(); number && message.reference.empty())
    if (auto plain = message.take_plain_value(*number, model_.source, model_.tensors)) value = *std::move(plain);
  if (value.is_none()) {
    MO_ASSIGN(AttributeList records, frontends::records_but(model_.source, field, {attribute_field::kName}));
    node_.attributes.set(message.name, AttributeMap{{std::string(kept_key::kWire), std::move(records)}});
    return {};
  }
  Encoding again;
  if (!value.holds<Tensor>()) MO_TRY(encode_attribute(message.name, value, again));
  MO_ASSIGN(const bool is_usual, again.is_at(model_.source, field));
  if (!is_usual) {
    MO_ASSIGN(const AttributeValue whole, record_of(model_.source, field));
    spellings_.set(message.name, AttributeList{value, *frontends::payload_of_record(whole)});
  }
  node_.attributes.set(message.name, std::move(value));
  return {};
}

/// Says what the node is and does, and keeps how the message says it where that does not tell.
std::string RewritingReader::name_operator() {
  AttributeMap& attributes = node_.attributes;
  const std::string_view domain = node_.domain ? normal_domain(*node_.domain) : std::string_view();
  std::string op = domain.empty() ? node_.op_type : fmt::format("{}.{}", domain, node_.op_type);
  const bool is_odd = node_.op_type.find_first_of(".:") != std::string::npos || (node_.domain && domain.empty()) ||
                      domain.find(':') != std::string_view::npos;
  if (op == "Constant" && domain.empty() && node_.outputs.size() == 1 && node_.inputs.empty() &&
      make_constant(attributes))
    op = "Const";
  if (is_odd)
    attributes.set(
        kept_key::kOperator,
        AttributeList{"onnx::" + op, node_.domain ? AttributeValue(*node_.domain) : AttributeValue(), node_.op_type});
  const auto text_of_name = [&](NameId name) {
    return name.valid() ? std::string(graph_->names()[name]) : std::string();
  };
  if (node_.name)
    attributes.set(kept_key::kName, AttributeList{text_of_name(node_.first_output()), text_of_name(*node_.name)});
  if (node_.outputs.size() > 1) {
    std::vector<std::string> names;
    for (const NameId output : node_.outputs) names.push_back(text_of_name(output));
    attributes.set(kept_key::kOutputs, std::move(names));
  }
  return op;
}

Expected<void> RewritingReader::create_node() {
  AttributeMap& attributes = node_.attributes;
  if (!spellings_.empty()) attributes.set(kept_key::kSpellings, std::exchange(spellings_, {}));
  if (!node_fields_.empty()) attributes.set(kept_key::kFields, std::exchange(node_fields_, {}));
  if (!captures_.empty())
    attributes.set(kept_key::kCaptures, std::vector<std::string>(captures_.begin(), captures_.end()));
  captures_.clear();
  const std::string op = name_operator();
  MO_TRY(create(op, std::move(attributes)));
  return {};
}

/// A node is called like its first output.
Expected<Node> RewritingReader::create(const std::string& op, AttributeMap attributes) {
  const NameId name = node_.first_output();
  if (!name.valid())
    return error("MO-ONNX-0065", "{} has no output with a name", op)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  return create_connected(Op("onnx::" + op, std::move(attributes)), name);
}

Expected<void> RewritingReader::create_source(const std::string& op, AttributeMap attributes, std::string_view name) {
  node_ = {};
  node_.outputs.push_back(name.empty() ? NameId{} : graph_->names().intern(name));
  MO_TRY(create(op, std::move(attributes)));
  return {};
}

Expected<Value> RewritingReader::from_outside(NameId tensor) {
  if (!is_inner_) return Value();
  MO_TRY(model_.take_node());
  given_.emplace_back(graph_->names()[tensor]);
  MO_TRY(create_source("Placeholder", AttributeMap{{std::string(kept_key::kGiven), true}}, given_.back()));
  return find(tensor);
}

// -- the whole --------------------------------------------------------------------------------------------------------

Expected<void> RewritingReader::add_constants() {
  for (std::size_t i = 0; i < parts_.initializers.size(); ++i) {
    const auto& [name, value] = parts_.initializers[i];
    AttributeList& records = initializers_[i];
    if (records.size() == 1 && frontends::number_of_record(records.front()) == graph_field::kSparseInitializer) {
      MO_TRY(create_source("SparseConst", AttributeMap{{std::string(kept_key::kWire), std::move(records)}}, name));
      continue;
    }
    AttributeMap attributes{{"dtype", value.element_type()}, {"value", value}};
    attributes.set(kept_key::kTensor, AttributeList{value, std::move(records)});
    MO_TRY(create_source("Const", std::move(attributes), name));
  }
  parts_.initializers = {};
  initializers_ = {};
  return {};
}

Expected<void> RewritingReader::read_graph(const WireField& message) {
  MO_TRY(read_parts(message));
  MO_TRY(add_constants());
  for (const ValueInfo& input : parts_.inputs) {
    if (find(graph_->names().find(input.name))) continue;  // an initializer gives its value
    AttributeMap attributes{{"dtype", input.type.element_type}, {"shape", input.type.shape}};
    MO_TRY(create_source("Placeholder", std::move(attributes), input.name));
  }
  MO_TRY(read_nodes(message, graph_field::kNode));
  graph_->properties.set(kept_key::kGraphFields, std::move(fields_));
  graph_->properties.set(kept_key::kModelInputs, std::move(inputs_));
  graph_->properties.set(kept_key::kModelOutputs, std::move(outputs_));
  return {};
}

void RewritingReader::note_initializers(std::int64_t ir_version) {
  constexpr std::int64_t kInitializersAlone = 4;  // ONNX: since this version they need not be inputs
  if (ir_version >= kInitializersAlone) return;
  std::unordered_set<std::string_view> inputs;
  for (const AttributeValue& entry : list_in(graph_->properties, kept_key::kModelInputs)) inputs.insert(name_in(entry));
  for (const Node node : graph_->nodes())
    if (node.has_attr(kept_key::kTensor) && !inputs.contains(node.name())) return;
  graph_->properties.set(kept_key::kInitializersAreInputs, true);
}

Expected<Value> RewritingReader::known_tensor(std::string_view name) {
  const NameId tensor = graph_->names().intern(name);
  if (const Value made = find(tensor)) return made;
  MO_ASSIGN(const Value given, from_outside(tensor));
  if (!given) return unknown_tensor(tensor);
  return given;
}

Expected<void> RewritingReader::connect() {
  MO_TRY(connect_pending());
  // What graphs in attributes read has to be there before: nodes that read nothing else may have such graphs, too.
  for (const Node node : graph_->nodes()) {
    const AttributeValue* const captures = node.find_attribute(kept_key::kCaptures);
    if (!captures) continue;
    for (const std::string& name : *captures->get_if<std::vector<std::string>>()) {
      MO_ASSIGN(const Value source, known_tensor(name));
      node.add_control_input(source.node());
    }
  }
  for (const AttributeValue& entry : list_in(graph_->properties, kept_key::kModelOutputs))
    if (is_inner_ && !name_in(entry).empty()) MO_TRY(known_tensor(name_in(entry)));
  std::optional<std::int64_t> fingerprint;
  for (AttributeValue& entry : value_info_) {
    if (find(graph_->names().find(name_in(entry)))) continue;
    if (!fingerprint) fingerprint = fingerprint_of_names(*graph_);
    entry.get_if<AttributeList>()->emplace_back(*fingerprint);
  }
  graph_->properties.set(kept_key::kValueInfo, std::move(value_info_));
  return {};
}

Expected<void> RewritingReader::read_model(const ModelHeader& header) {
  MO_ASSIGN(AttributeList fields,
            frontends::records_but(model_.source, whole_of(model_.source), {model_field::kGraph}));
  graph_->properties.set(kept_key::kModelFields, std::move(fields));
  graph_->properties.set(kept_key::kOpset, header.imports.find("").value_or(1));
  MO_TRY(read_graph(*header.graph));
  note_initializers(header.ir_version.value_or(kNewestIrVersion));
  return connect();
}

Expected<void> RewritingReader::read_body(const WireField& message, std::int64_t opset) {
  is_inner_ = true;
  graph_->properties.set(kept_key::kOpset, opset);
  graph_->properties.set(kept_key::kInner, true);
  MO_TRY(read_graph(message));
  return connect();
}

Expected<void> RewritingReader::read_function(const WireField& message, std::int64_t opset) {
  is_inner_ = true;
  MO_ASSIGN(const FunctionHeader header, read_function_header(model_.source, message, model_.sink));
  MO_ASSIGN(AttributeList fields, frontends::records_but(model_.source, message, {function_field::kNode}));
  for (const std::string& output : header.outputs) outputs_.emplace_back(AttributeList{output});
  graph_->properties.set(kept_key::kInner, true);
  graph_->properties.set(kept_key::kOpset, header.imports.find("").value_or(opset));
  graph_->properties.set(kept_key::kFunctionFields, std::move(fields));
  graph_->properties.set(kept_key::kModelOutputs, std::move(outputs_));
  for (const std::string& input : header.inputs) MO_TRY(from_outside(graph_->names().intern(input)));
  MO_TRY(read_nodes(message, function_field::kNode));
  return connect();
}

}  // namespace mo::onnx
