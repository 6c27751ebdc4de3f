#include "frontends/onnx/model_proto/node_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "frontends/common/field_record.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/attribute_decoder.hpp"
#include "frontends/onnx/model_proto/captures.hpp"
#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_state.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

/// What the message calls the node.
struct Spelling {
  std::optional<std::string> name;
  std::optional<std::string> domain;
  std::string op_type;
};

Expected<void> read_text(WireSource& source, const WireField& field, std::string& into) {
  MO_ASSIGN(into, text_of(source, field));
  return {};
}

Expected<void> add_name(WireSource& source, const WireField& field, std::vector<std::string>& names) {
  if (names.size() == limits::kPorts)
    return error("MO-ONNX-0019", "a node has more than {} inputs or outputs", limits::kPorts)
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  return read_text(source, field, names.emplace_back());
}

/// Attributes of a node, with what is nothing else.
class NodeAttributes {
 public:
  NodeAttributes(WireSource& source, TensorReader& tensors) : source_(source), tensors_(tensors) {}

  Expected<void> read(const WireField& field) {
    MO_TRY(add_captures(source_, field, captures_));
    MO_ASSIGN(NamedAttribute read, decode_attribute(source_, tensors_, field));
    if (attributes_.contains(read.name))
      return error("MO-ONNX-0020", "duplicate attribute '{}'", read.name)
          .hint("the file is corrupt: compare its checksum, and download or export it again");
    if (!read.spelling.empty()) spellings_.set(read.name, AttributeList{read.value, std::move(read.spelling)});
    attributes_.set(read.name, std::move(read.value));
    return {};
  }

  Expected<void> keep(const WireField& field) {
    MO_ASSIGN(AttributeValue record, record_of(source_, field));
    fields_.push_back(std::move(record));
    return {};
  }

  AttributeMap take() {
    if (!spellings_.empty()) attributes_.set(kept_key::kSpellings, std::move(spellings_));
    if (!fields_.empty()) attributes_.set(kept_key::kFields, std::move(fields_));
    if (!captures_.empty())
      attributes_.set(kept_key::kCaptures, std::vector<std::string>(captures_.begin(), captures_.end()));
    return std::move(attributes_);
  }

 private:
  WireSource& source_;
  TensorReader& tensors_;
  AttributeMap attributes_;
  AttributeMap spellings_;
  AttributeList fields_;
  std::set<std::string> captures_;
};

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

/// Says what the node is and does, and keeps how the message says it where that does not tell.
void name_operator(NodeParts& parts, const Spelling& spelling) {
  const std::string_view domain = spelling.domain ? normal_domain(*spelling.domain) : std::string_view();
  parts.op = domain.empty() ? spelling.op_type : fmt::format("{}.{}", domain, spelling.op_type);
  const bool is_odd = spelling.op_type.find_first_of(".:") != std::string::npos ||
                      (spelling.domain && domain.empty()) || domain.find(':') != std::string_view::npos;
  const bool is_constant = parts.op == "Constant" && domain.empty() && parts.outputs.size() == 1 &&
                           parts.inputs.empty() && make_constant(parts.attributes);
  if (is_constant) parts.op = "Const";
  if (is_odd)
    parts.attributes.set(
        kept_key::kOperator,
        AttributeList{"onnx::" + parts.op, spelling.domain ? AttributeValue(*spelling.domain) : AttributeValue(),
                      spelling.op_type});
  if (spelling.name) parts.attributes.set(kept_key::kName, AttributeList{first_name(parts.outputs), *spelling.name});
  if (parts.outputs.size() > 1) parts.attributes.set(kept_key::kOutputs, parts.outputs);
}

}  // namespace

std::string first_name(const std::vector<std::string>& outputs) {
  const auto named =
      std::find_if(outputs.begin(), outputs.end(), [](const std::string& name) { return !name.empty(); });
  return named == outputs.end() ? std::string() : *named;
}

Expected<NodeParts> read_node_parts(WireSource& source, TensorReader& tensors, const WireField& message) {
  NodeParts parts;
  Spelling spelling;
  NodeAttributes attributes(source, tensors);
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case node_field::kInput: return add_name(source, field, parts.inputs);
      case node_field::kOutput: return add_name(source, field, parts.outputs);
      case node_field::kName: return read_text(source, field, spelling.name.emplace());
      case node_field::kOpType: return read_text(source, field, spelling.op_type);
      case node_field::kDomain: return read_text(source, field, spelling.domain.emplace());
      case node_field::kAttribute: return attributes.read(field);
      default: return attributes.keep(field);
    }
  }));
  parts.attributes = attributes.take();
  name_operator(parts, spelling);
  return parts;
}

}  // namespace mo::onnx
