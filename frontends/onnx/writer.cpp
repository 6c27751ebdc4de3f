#include "frontends/onnx/writer.hpp"

#include <google/protobuf/text_format.h>

#include <map>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/data_types.hpp"
#include "onnx.pb.h"

namespace mo::onnx {
namespace {

constexpr std::string_view kDefaultPrefix = "onnx::";

Expected<void> write_tensor(const Tensor& tensor, TensorProto& proto) {
  for (const std::int64_t dim : tensor.shape()) proto.add_dims(dim);
  const auto type = static_cast<std::int32_t>(data_type_of(tensor.element_type()));
  if (type == 0) return error("MO-ONNX-0052", "no ONNX tensor has elements of type {}", to_string(tensor.element_type())).hint("write the text form");
  proto.set_data_type(type);
  if (tensor.element_type() == ElementType::string) {
    MO_ASSIGN(const std::vector<std::string> texts, to_strings(tensor));
    for (const std::string& text : texts) proto.add_string_data(text);
    return {};
  }
  MO_ASSIGN(const Tensor loaded, tensor.load());
  const std::span<const std::byte> bytes = loaded.bytes();
  proto.set_raw_data(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return {};
}

void write_type(const std::string& name, const TensorType& type, ValueInfoProto& info) {
  info.set_name(name);
  TypeProto::Tensor& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(static_cast<std::int32_t>(data_type_of(type.element_type)));
  if (!type.shape.has_rank()) return;
  TensorShapeProto& shape = *tensor.mutable_shape();
  for (const Dimension& dim : type.shape) {
    TensorShapeProto::Dimension& made = *shape.add_dim();
    if (dim.is_known())
      made.set_dim_value(dim.value());
    else if (dim.symbol() != 0)
      made.set_dim_param("d" + std::to_string(dim.symbol()));
  }
}

class GraphWriter {
 public:
  explicit GraphWriter(std::map<std::string, std::int64_t>& opsets) : opsets_(opsets) {}

  Expected<void> write(const Graph& graph, GraphProto& proto, bool is_main) {
    proto.set_name(graph.name.empty() ? "g" : graph.name);
    for (const Node& parameter : graph.parameters()) {
      if (!is_main && parameter.origin().part == "captured tensor") continue;
      // The type of what nobody knows is left open.
      if (is_main || parameter.output_type().element_type != ElementType::dynamic)
        write_type(name_of(parameter.output()), parameter.output_type(), *proto.add_input());
      else
        proto.add_input()->set_name(name_of(parameter.output()));
    }
    MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
    for (const Node& node : order) {
      if (node.is<Parameter>() || node.is<Result>()) continue;
      if (const Const* constant = node.as<Const>()) {
        TensorProto& initializer = *proto.add_initializer();
        initializer.set_name(name_of(node.output()));
        MO_TRY(write_tensor(constant->value, initializer));
        continue;
      }
      MO_TRY(write_node(node, *proto.add_node()));
    }
    for (const Node& result : graph.results()) proto.add_output()->set_name(name_of(result.input(0)));
    return {};
  }

 private:
  std::string name_of(const Value& value) {
    if (!value) return {};
    const std::string_view name = value.data().first_tensor_name();
    return name.empty() ? "unnamed:" + std::to_string(value.id().index) : std::string(name);
  }

  Expected<void> write_node(const Node& node, NodeProto& proto) {
    const std::string domain = node.attr<std::string>("@domain").value_or("");
    const std::string_view type = node.type();
    const std::string prefix = domain.empty() ? std::string(kDefaultPrefix) : domain + "::";
    proto.set_op_type(std::string(type.starts_with(prefix) ? type.substr(prefix.size()) : type));
    if (!domain.empty()) proto.set_domain(domain);
    opsets_[domain] = node.attr<std::int64_t>("@opset").value_or(1);
    proto.set_name(std::string(node.name()));
    const auto captures = node.attr<std::vector<std::string>>("@captures");
    std::size_t inputs = node.in_port_count() - std::min(node.in_port_count(), captures ? captures->size() : 0);
    while (inputs > 0 && !node.input(inputs - 1)) --inputs;
    for (std::size_t i = 0; i < inputs; ++i) proto.add_input(name_of(node.input(i)));
    for (std::size_t i = 0; i < node.out_port_count(); ++i)
      proto.add_output(node.out_port(i).disconnected() && node.out_port(i).data().first_tensor_name().empty() ? "" : name_of(node.out_port(i)));
    for (const AttributeMap::Item& item : node.attributes()) {
      if (item.name.starts_with('@')) continue;
      AttributeProto& attribute = *proto.add_attribute();
      attribute.set_name(item.name);
      if (auto written = write_value(item.value, attribute); !written) return node.describe(std::move(written).error());
    }
    return {};
  }

  Expected<void> write_value(const AttributeValue& value, AttributeProto& proto) {
    if (const std::int64_t* whole = value.get_if<std::int64_t>()) {
      proto.set_type(AttributeProto::INT);
      proto.set_i(*whole);
    } else if (const double* real = value.get_if<double>()) {
      proto.set_type(AttributeProto::FLOAT);
      proto.set_f(static_cast<float>(*real));
    } else if (const std::string* text = value.get_if<std::string>()) {
      proto.set_type(AttributeProto::STRING);
      proto.set_s(*text);
    } else if (const auto* wholes = value.get_if<std::vector<std::int64_t>>()) {
      proto.set_type(AttributeProto::INTS);
      for (const std::int64_t number : *wholes) proto.add_ints(number);
    } else if (const auto* reals = value.get_if<std::vector<double>>()) {
      proto.set_type(AttributeProto::FLOATS);
      for (const double number : *reals) proto.add_floats(static_cast<float>(number));
    } else if (const auto* texts = value.get_if<std::vector<std::string>>()) {
      proto.set_type(AttributeProto::STRINGS);
      for (const std::string& one : *texts) proto.add_strings(one);
    } else if (const Tensor* tensor = value.get_if<Tensor>()) {
      proto.set_type(AttributeProto::TENSOR);
      MO_TRY(write_tensor(*tensor, *proto.mutable_t()));
    } else if (const Body* body = value.get_if<Body>()) {
      proto.set_type(AttributeProto::GRAPH);
      MO_TRY(write(body->graph(), *proto.mutable_g(), false));
    } else {
      return error("MO-ONNX-0052", "attribute '{}' is {}, which cannot be written", proto.name(), value.kind_name()).hint("write the text form");
    }
    return {};
  }

  std::map<std::string, std::int64_t>& opsets_;
};

Expected<ModelProto> model_of(const Graph& graph) {
  ModelProto model;
  const AttributeValue* const version = graph.properties.find("ir_version");
  const std::int64_t* const number = version ? version->get_if<std::int64_t>() : nullptr;
  model.set_ir_version(number ? *number : 8);
  std::map<std::string, std::int64_t> opsets;
  MO_TRY(GraphWriter(opsets).write(graph, *model.mutable_graph(), true));
  for (const auto& [domain, opset] : opsets) {
    OperatorSetIdProto& import = *model.add_opset_import();
    import.set_domain(domain);
    import.set_version(opset);
  }
  return model;
}

}  // namespace

Expected<std::string> model_bytes(const Graph& graph) {
  MO_ASSIGN(const ModelProto model, model_of(graph));
  std::string bytes;
  if (!model.SerializeToString(&bytes)) return error("MO-ONNX-0052", "the model is larger than a message can be").hint("write the text form");
  return bytes;
}

Expected<std::string> model_text(const Graph& graph) {
  MO_ASSIGN(const ModelProto model, model_of(graph));
  std::string text;
  if (!google::protobuf::TextFormat::PrintToString(model, &text))
    return error("MO-ONNX-0052", "the model is larger than a message can be").hint("write the text form");
  return text;
}

}  // namespace mo::onnx
