#include "frontends/onnx/writer.hpp"

#include <map>

#include "frontends/onnx/encoding.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_reader.hpp"

namespace mo::onnx {
namespace {

using frontends::Encoding;

constexpr std::string_view kDefaultPrefix = "onnx::";

class GraphWriter {
 public:
  explicit GraphWriter(std::map<std::string, std::int64_t>& opsets) : opsets_(opsets) {}

  /// GraphProto.
  Expected<Encoding> encode(const Graph& graph, bool is_main) {
    Encoding message;
    MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
    for (const Node& node : order)
      if (!node.is<Parameter>() && !node.is<Result>() && !node.is<Const>()) MO_TRY(encode_node(node, message));
    message.bytes(graph_field::kName, graph.name.empty() ? "g" : graph.name);
    for (const Node& node : order)
      if (node.is<Const>()) MO_TRY(encode_initializer(node, message));
    for (const Node& parameter : graph.parameters())
      if (is_main || parameter.origin().part != "captured tensor") encode_input(parameter, is_main, message);
    for (const Node& result : graph.results()) encode_name(result.input(0), graph_field::kOutput, message);
    return message;
  }

 private:
  static std::string name_of(const Value& value) {
    if (!value) return {};
    const std::string_view name = value.data().first_tensor_name();
    return name.empty() ? "unnamed:" + std::to_string(value.id().index) : std::string(name);
  }

  /// ValueInfoProto without a type.
  static void encode_name(const Value& value, std::uint32_t field, Encoding& graph) {
    Encoding info;
    info.bytes(value_field::kName, name_of(value));
    graph.message(field, info);
  }

  static void encode_input(const Node& parameter, bool is_main, Encoding& graph) {
    // The type of what nobody knows is left open.
    if (!is_main && parameter.output_type().element_type == ElementType::dynamic)
      return encode_name(parameter.output(), graph_field::kInput, graph);
    Encoding info;
    encode_value_info(name_of(parameter.output()), parameter.output_type(), info, Symbols::named);
    graph.message(graph_field::kInput, info);
  }

  static Expected<void> encode_initializer(const Node& node, Encoding& graph) {
    const Tensor& value = node.as<Const>()->value;
    Encoding tensor;
    if (!encode_tensor(name_of(node.output()), value, tensor))
      return error("MO-ONNX-0052", "no ONNX tensor has elements of type {}", to_string(value.element_type()))
          .hint("write the text form");
    graph.message(graph_field::kInitializer, tensor);
    return {};
  }

  Expected<void> encode_node(const Node& node, Encoding& graph) {
    Encoding message;
    const auto captures = node.attr<std::vector<std::string>>("@captures");
    std::size_t inputs = node.in_port_count() - std::min(node.in_port_count(), captures ? captures->size() : 0);
    while (inputs > 0 && !node.input(inputs - 1)) --inputs;
    for (std::size_t i = 0; i < inputs; ++i) message.bytes(node_field::kInput, name_of(node.input(i)));
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      const bool is_left_out = node.out_port(i).disconnected() && node.out_port(i).data().first_tensor_name().empty();
      message.bytes(node_field::kOutput, is_left_out ? std::string() : name_of(node.out_port(i)));
    }
    message.bytes(node_field::kName, node.name());
    const std::string domain = node.attr<std::string>("@domain").value_or("");
    const std::string_view type = node.type();
    const std::string prefix = domain.empty() ? std::string(kDefaultPrefix) : domain + "::";
    message.bytes(node_field::kOpType, type.starts_with(prefix) ? type.substr(prefix.size()) : type);
    for (const AttributeMap::Item& item : node.attributes()) {
      if (item.name.starts_with('@')) continue;
      Encoding attribute;
      if (auto done = encode_value(item.name, item.value, attribute); !done)
        return node.describe(std::move(done).error());
      message.message(node_field::kAttribute, attribute);
    }
    if (!domain.empty()) message.bytes(node_field::kDomain, domain);
    opsets_[domain] = node.attr<std::int64_t>("@opset").value_or(1);
    graph.message(graph_field::kNode, message);
    return {};
  }

  /// AttributeProto.
  Expected<void> encode_value(const std::string& name, const AttributeValue& value, Encoding& attribute) {
    if (const Body* const body = value.get_if<Body>()) {
      MO_ASSIGN(const Encoding inner, encode(body->graph(), false));
      attribute.bytes(attribute_field::kName, name);
      attribute.message(attribute_field::kGraph, inner);
      attribute.integer(attribute_field::kKind, attribute_kind::kGraph);
      return {};
    }
    if (encode_attribute(name, value, attribute)) return {};
    return error("MO-ONNX-0052", "attribute '{}' is {}, which cannot be written", name, value.kind_name())
        .hint("write the text form");
  }

  std::map<std::string, std::int64_t>& opsets_;
};

}  // namespace

Expected<std::string> model_bytes(const Graph& graph) {
  const AttributeValue* const version = graph.properties.find("onnx_ir_version");
  const std::int64_t* const number = version ? version->get_if<std::int64_t>() : nullptr;
  std::map<std::string, std::int64_t> opsets;
  MO_ASSIGN(const Encoding main, GraphWriter(opsets).encode(graph, true));
  Encoding model;
  model.integer(model_field::kIrVersion, number ? *number : 8);
  model.message(model_field::kGraph, main);
  for (const auto& [domain, opset] : opsets) {
    Encoding import;
    import.bytes(opset_field::kDomain, domain);
    import.integer(opset_field::kVersion, opset);
    model.message(model_field::kOpsetImport, import);
  }
  std::string bytes;
  MO_TRY(model.append_to(bytes));
  return bytes;
}

Expected<std::string> model_text(const Graph& graph) {
  MO_ASSIGN(const std::string bytes, model_bytes(graph));
  return model_to_text(bytes);
}

}  // namespace mo::onnx
