#include <algorithm>

#include "frontends/common/field_record.hpp"
#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/encoding.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/dimension_names.hpp"
#include "frontends/onnx/model_proto/graph_proto.hpp"
#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_proto/side_tensors.hpp"
#include "frontends/onnx/model_proto/tensor_names.hpp"
#include "frontends/onnx/model_proto/value_infos.hpp"
#include "frontends/onnx/model_proto/written_names.hpp"
#include "frontends/onnx/model_reader.hpp"

namespace mo::onnx {
namespace {

using frontends::Encoding;
using frontends::is_as_read;
using frontends::number_of_record;

void encode_records(const AttributeList* records, Encoding& out, std::uint32_t from = 0,
                    std::uint32_t to = ~std::uint32_t{0}) {
  if (!records) return;
  for (const AttributeValue& record : *records)
    if (number_of_record(record) >= from && number_of_record(record) < to) encode_record(record, out);
}

/// Of a graph that is only rewritten, or of a linked one (`read_model`).
class ModelEncoder {
 public:
  ModelEncoder(const Graph& graph, ExternalData external, SideTensors* side = nullptr)
      : graph_(graph),
        external_(external),
        names_(graph),
        is_linked_(names_.is_linked()),
        side_(side),
        dimensions_(graph) {}

  /// GraphProto.
  Expected<Encoding> encode_graph() {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    if (!is_linked_) names_.name_tensors(order);
    Encoding graph;
    for (const Node& node : order) MO_TRY(encode_node(node, graph));
    if (is_linked_) graph.bytes(graph_field::kName, graph_.name.empty() ? "g" : graph_.name);
    const AttributeList* const fields = list_of(graph_.properties.find(kept_key::kGraphFields));
    encode_records(fields, graph, 0, graph_field::kInitializer);
    for (const Node node : graph_.nodes()) MO_TRY(encode_initializer(node, graph));
    encode_records(fields, graph, graph_field::kInitializer, graph_field::kInput);
    ValueInfos tensors(graph_, names_, dimensions_, is_body_);
    tensors.encode_inputs(graph);
    MO_TRY(tensors.encode_outputs(graph));
    tensors.encode_others(graph);
    encode_records(fields, graph, graph_field::kValueInfo);
    return graph;
  }

  /// FunctionProto: it has no initializers, so that all constants are nodes.
  Expected<Encoding> encode_function() {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    const AttributeList* const fields = list_of(graph_.properties.find(kept_key::kFunctionFields));
    node_number_ = function_field::kNode;
    names_.name_tensors(order);
    Encoding function;
    encode_records(fields, function, 0, function_field::kNode);
    for (const Node& node : order) MO_TRY(encode_node(node, function));
    encode_records(fields, function, function_field::kNode);
    return function;
  }

  Expected<Encoding> encode() {
    MO_ASSIGN(const Encoding graph, encode_graph());
    const AttributeList* const model_fields = list_of(graph_.properties.find(kept_key::kModelFields));
    Encoding model;
    if (is_linked_) model.integer(model_field::kIrVersion, property("onnx_ir_version").value_or(8));
    if (is_linked_) encode_producer(model);
    encode_records(model_fields, model, 0, model_field::kGraph);
    model.message(model_field::kGraph, graph);
    encode_records(model_fields, model, model_field::kGraph);
    // A model without operators imports an operator set, too.
    if (const auto version = property("onnx_opset")) opsets_.emplace("", *version);
    for (const auto& [domain, version] : opsets_) {
      Encoding import;
      import.bytes(opset_field::kDomain, domain);
      import.integer(opset_field::kVersion, version);
      model.message(model_field::kOpsetImport, import);
    }
    if (is_linked_) encode_metadata(model);
    return model;
  }

 private:
  /// A number that the emitter of ONNX leaves.
  std::optional<std::int64_t> property(std::string_view name) const {
    const AttributeValue* const number = graph_.properties.find(name);
    return number && number->holds<std::int64_t>() ? std::optional(*number->get_if<std::int64_t>()) : std::nullopt;
  }

  void encode_producer(Encoding& model) const {
    for (const auto& [name, field] : {std::pair("producer_name", model_field::kProducerName),
                                      std::pair("producer_version", model_field::kProducerVersion)})
      if (const AttributeValue* const value = graph_.properties.find(name); value && value->holds<std::string>())
        model.bytes(field, *value->get_if<std::string>());
  }

  void encode_metadata(Encoding& model) const {
    const AttributeValue* const metadata = graph_.properties.find("metadata");
    if (!metadata || !metadata->map()) return;
    for (const AttributeMap::Item& item : *metadata->map())
      if (const std::string* const text = item.value.get_if<std::string>())
        encode_entry(model_field::kMetadata, item.name, *text, model);
  }

  /// Whether the constant is written as a node, and not as an initializer.
  bool is_constant_node(const Node& node) const {
    return node.has_attr(kept_key::kConstant) || node_number_ == function_field::kNode;
  }

  // -- nodes ----------------------------------------------------------------------------------------------------------

  /// NodeProto, for those that are nodes in the model.
  Expected<void> encode_node(const Node& node, Encoding& graph) {
    const bool is_constant = names_.is_op(node, "Const");
    if (names_.is_op(node, "Placeholder") || names_.is_op(node, "SparseConst") ||
        (is_constant && !is_constant_node(node)) || node.is<Parameter>() || node.is<Const>() || node.is<Result>())
      return {};
    Encoding message;
    for (std::size_t i = 0; i < input_count(node); ++i) {
      const Value source = node.input(i);
      message.bytes(node_field::kInput, source ? names_.name_of(source) : std::string());
    }
    for (const OutPort& port : node.out_ports()) {
      const bool is_left_out = is_linked_ && port.disconnected() && port.data().first_tensor_name().empty();
      message.bytes(node_field::kOutput, is_left_out ? std::string() : names_.name_of(port));
    }
    if (is_linked_) message.bytes(node_field::kName, node.name());
    if (const AttributeList* name = list_of(node.find_attribute(kept_key::kName))) {
      const bool is_same = *name->front().get_if<std::string>() == node.name();
      message.bytes(node_field::kName, is_same ? std::string_view(*name->back().get_if<std::string>()) : node.name());
    }
    const auto& [domain, op_type] = operator_of(node);
    message.bytes(node_field::kOpType, op_type);
    if (is_linked_) opsets_[domain.value_or("")] = node.attr<std::int64_t>("@opset").value_or(1);
    auto done = is_constant ? encode_constant(node, message) : encode_attributes(node, message);
    if (!done) return node.describe(std::move(done).error());
    const AttributeList* const fields = list_of(node.find_attribute(kept_key::kFields));
    encode_records(fields, message, 0, node_field::kDomain);
    if (domain) message.bytes(node_field::kDomain, *domain);
    encode_records(fields, message, node_field::kDomain);
    graph.message(node_number_, message);
    return {};
  }

  /// A linked node has what its graphs capture after its own inputs, and need not list those that are omitted at the
  /// end.
  std::size_t input_count(const Node& node) const {
    std::size_t count = node.in_port_count();
    if (!is_linked_) return count;
    if (const auto captures = node.attr<std::vector<std::string>>(kept_key::kCaptures))
      count -= std::min(count, captures->size());
    while (count > 0 && !node.input(count - 1)) --count;
    return count;
  }

  /// Domain and op_type: "com.microsoft" and "Gelu" of "onnx::com.microsoft.Gelu", or of a linked
  /// "com.microsoft::Gelu".
  std::pair<std::optional<std::string>, std::string> operator_of(const Node& node) const {
    const std::string_view type = node.type();
    if (const auto domain = node.attr<std::string>("@domain"); domain && type.starts_with(*domain + "::"))
      return {*domain, std::string(type.substr(domain->size() + 2))};
    if (const AttributeList* spelled = list_of(node.find_attribute(kept_key::kOperator));
        spelled && *(*spelled)[0].get_if<std::string>() == type)
      return {(*spelled)[1].is_none() ? std::nullopt : std::optional(*(*spelled)[1].get_if<std::string>()),
              *(*spelled)[2].get_if<std::string>()};
    const std::string_view op = names_.is_op(node, "Const") ? std::string_view("Constant") : operator_in_type(node);
    const std::size_t dot = op.rfind('.');
    if (is_linked_ || dot == std::string_view::npos) return {std::nullopt, std::string(op)};
    return {std::string(op.substr(0, dot)), std::string(op.substr(dot + 1))};
  }

  Expected<void> encode_attributes(const Node& node, Encoding& message) {
    const AttributeMap& attributes = *static_cast<const AttributeMap*>(node.payload());
    for (const AttributeMap::Item& item : attributes)
      if (!item.name.starts_with('@')) MO_TRY(encode_one(node, item.name, item.value, message));
    return {};
  }

  Expected<void> encode_one(const Node& node, const std::string& name, const AttributeValue& value, Encoding& message) {
    const AttributeValue* const spellings = node.find_attribute(kept_key::kSpellings);
    const AttributeList* const spelled = spellings ? list_of(spellings->map()->find(name)) : nullptr;
    if (spelled && is_as_read(value, spelled->front()) &&
        !(external_ == ExternalData::inlined && value.holds<Tensor>())) {
      message.tensor_bytes(node_field::kAttribute, *spelled->back().get_if<Tensor>());
      return {};
    }
    Encoding attribute;
    if (const Body* const body = value.get_if<Body>()) {
      ModelEncoder inner(body->graph(), external_, side_);
      inner.is_body_ = true;
      inner.dimensions_ = dimensions_;
      MO_ASSIGN(const Encoding graph, inner.encode_graph());
      opsets_.merge(inner.opsets_);
      attribute.bytes(attribute_field::kName, name);
      attribute.message(attribute_field::kGraph, graph);
      attribute.integer(attribute_field::kKind, attribute_kind::kGraph);
    } else if (auto done = encode_attribute(name, value, attribute); !done) {
      if (!is_linked_) return done;
      return error("MO-ONNX-0052", "attribute '{}' is {}, which cannot be written", name, value.kind_name())
          .hint("write the text form");
    }
    message.message(node_field::kAttribute, attribute);
    return {};
  }

  static Diagnostic no_value(const Node& node) {
    return node.error("MO-ONNX-0061", "a constant has no value")
        .hint("a transform removed it: leave that transform out");
  }

  /// The attribute of a node Constant: as it was written while the value is the same.
  Expected<void> encode_constant(const Node& node, Encoding& message) {
    const AttributeList* const written = list_of(node.find_attribute(kept_key::kConstant));
    const AttributeValue* const value = node.find_attribute("value");
    if (!value) return no_value(node);
    if (written && is_as_read(*value, written->front()))
      return encode_one(node, *(*written)[1].get_if<std::string>(), (*written)[2], message);
    return encode_one(node, "value", *value, message);
  }

  // -- constants ------------------------------------------------------------------------------------------------------

  Expected<void> encode_initializer(const Node& node, Encoding& graph) {
    if (names_.is_op(node, "SparseConst")) {
      encode_records(list_of(node.find_attribute(kept_key::kWire)), graph);
      return {};
    }
    if (!node.is<Const>() && (!names_.is_op(node, "Const") || node.has_attr(kept_key::kConstant))) return {};
    const AttributeValue* const value = node.find_attribute("value");
    const Tensor* const tensor = node.is<Const>() ? &node.as<Const>()->value
                                 : value          ? value->get_if<Tensor>()
                                                  : nullptr;
    if (!tensor) return no_value(node);
    Encoding message;
    const AttributeList* const kept = list_of(node.find_attribute(kept_key::kTensor));
    const AttributeList* const records = kept ? list_of(&kept->back()) : nullptr;
    if (records && is_as_read(*value, kept->front()) &&
        !(external_ == ExternalData::inlined && is_external(*records))) {
      encode_records(records, message, 0, tensor_field::kName);
      message.bytes(tensor_field::kName, node.name());
      encode_records(records, message, tensor_field::kName);
    } else if (auto done = encode_value(names_.name_of(node.output()), *tensor, message); !done) {
      if (!is_linked_) return node.describe(std::move(done).error());
      return node.error("MO-ONNX-0052", "no ONNX tensor has elements of type {}", to_string(tensor->element_type()))
          .hint("write the text form");
    }
    graph.message(graph_field::kInitializer, message);
    return {};
  }

  Expected<void> encode_value(std::string_view name, const Tensor& tensor, Encoding& message) const {
    if (!side_ || !SideTensors::takes(tensor)) return encode_tensor(name, tensor, message);
    const ExternalPlace place = side_->place(tensor);
    return encode_tensor(name, tensor, message, &place);
  }

  static bool is_external(const AttributeList& records) {
    return std::any_of(records.begin(), records.end(),
                       [](const AttributeValue& r) { return number_of_record(r) == tensor_field::kExternalData; });
  }

  const Graph& graph_;
  ExternalData external_;
  WrittenNames names_;
  bool is_linked_;
  SideTensors* side_;  ///< null: all tensors are in the message
  DimensionNames dimensions_;
  bool is_body_ = false;                        ///< of a linked graph
  std::map<std::string, std::int64_t> opsets_;  ///< those of the nodes of a linked graph
  std::uint32_t node_number_ = graph_field::kNode;
};

}  // namespace

Expected<Encoding> encode_inner_message(const Graph& graph, InnerMessage kind) {
  ModelEncoder encoder(graph, ExternalData::kept);
  return kind == InnerMessage::body ? encoder.encode_graph() : encoder.encode_function();
}

Expected<void> write_model_proto(const Graph& graph, OutputFile& file, ExternalData external) {
  MO_ASSIGN(const Encoding model, ModelEncoder(graph, external).encode());
  return model.write(file);
}

Expected<EncodedModel> encode_model_proto(const Graph& graph, const SideFile& side) {
  EncodedModel model;
  if (!side.always) {
    MO_ASSIGN(model.message, ModelEncoder(graph, ExternalData::kept).encode());
    if (model.message.size() <= side.largest_message) return model;
  }
  SideTensors tensors(side.location);
  MO_ASSIGN(model.message, ModelEncoder(graph, ExternalData::kept, &tensors).encode());
  if (model.message.size() > side.largest_message)
    return error("MO-ONNX-0066", "without its large tensors the model still has {} bytes, and protobuf allows {}",
                 model.message.size(), side.largest_message)
        .hint("write an IR, or cut the model into parts with --input and --output");
  model.beside = tensors.tensors();
  model.beside_bytes = tensors.bytes();
  return model;
}

Expected<std::string> model_proto_bytes(const Graph& graph, ExternalData external) {
  MO_ASSIGN(const Encoding model, ModelEncoder(graph, external).encode());
  std::string bytes;
  MO_TRY(model.append_to(bytes));
  return bytes;
}

Expected<std::string> model_proto_text(const Graph& graph) {
  MO_ASSIGN(const std::string bytes, model_proto_bytes(graph));
  return model_to_text(bytes);
}

}  // namespace mo::onnx
