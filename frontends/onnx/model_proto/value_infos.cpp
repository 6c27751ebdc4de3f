#include "frontends/onnx/model_proto/value_infos.hpp"

#include <optional>
#include <unordered_map>

#include "frontends/onnx/encoding.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_proto/tensor_names.hpp"

namespace mo::onnx {
namespace {

using frontends::Encoding;

/// ValueInfoProto without a type.
void encode_name(std::string_view name, std::uint32_t field, Encoding& graph) {
  Encoding info;
  info.bytes(value_field::kName, name);
  graph.message(field, info);
}

void encode_input(std::string_view name, const TensorType& type, Encoding& graph, const DimensionNamer& name_of = {}) {
  Encoding info;
  encode_value_info(name, type, info, name_of);
  graph.message(graph_field::kInput, info);
}

/// An input that a transform made.
void encode_new_input(const Node& node, Encoding& graph) {
  const AttributeValue* const given = node.find_attribute("shape");
  const PartialShape* const shape = given ? given->get_if<PartialShape>() : nullptr;
  const PartialShape& known = shape ? *shape : PartialShape();
  encode_input(node.name(), {node.attr<ElementType>("dtype").value_or(ElementType::f32), known}, graph);
}

}  // namespace

/// Encodes the entries of a list of [name, ValueInfoProto] that are needed; returns their names.
ValueInfos::Names ValueInfos::encode_listed(std::string_view list, std::uint32_t field, Encoding& graph,
                                            const std::function<bool(const std::string&)>& wanted) const {
  Names done;
  const AttributeList* const entries = list_of(graph_.properties.find(list));
  if (!entries) return done;
  std::optional<std::int64_t> fingerprint;
  const auto is_as_before = [&](const AttributeList& parts) {
    if (parts.size() < 3) return false;
    if (!fingerprint) fingerprint = fingerprint_of_names(graph_);
    return *parts[2].get_if<std::int64_t>() == *fingerprint;
  };
  for (const AttributeValue& entry : *entries) {
    const AttributeList& parts = *entry.get_if<AttributeList>();
    const std::string& name = *parts.front().get_if<std::string>();
    if (!wanted(name) && !is_as_before(parts)) continue;
    done.insert(name);
    if (parts.size() > 1) {
      graph.tensor_bytes(field, *parts[1].get_if<Tensor>());
      continue;
    }
    encode_name(name, field, graph);
  }
  return done;
}

void ValueInfos::encode_inputs(Encoding& graph) {
  std::unordered_map<std::string_view, Node> nodes;
  for (const Node node : graph_.nodes())
    if (names_.is_op(node, "Placeholder") || (names_.is_op(node, "Const") && node.has_attr(kept_key::kTensor)))
      nodes.emplace(node.name(), node);
  const auto listed = encode_listed(kept_key::kModelInputs, graph_field::kInput, graph,
                                    [&](const std::string& name) { return nodes.contains(name); });
  for (const Node node : graph_.nodes())
    if (names_.is_op(node, "Placeholder") && !node.has_attr(kept_key::kGiven) &&
        !listed.contains(std::string(node.name())))
      encode_new_input(node, graph);
  encode_initializers_as_inputs(listed, graph);
  for (const Node& parameter : graph_.parameters()) {
    const TensorType& type = parameter.output_type();
    if (parameter.origin().part == "captured tensor") continue;
    if (is_body_ && type.element_type == ElementType::dynamic) {  // an unknown type is left out
      encode_name(names_.name_of(parameter.output()), graph_field::kInput, graph);
      continue;
    }
    encode_input(names_.name_of(parameter.output()), type, graph, dimensions_.namer(is_body_));
  }
}

/// What initializers give was an input, too, before version 4 of the format.
void ValueInfos::encode_initializers_as_inputs(const Names& listed, Encoding& graph) const {
  if (!graph_.properties.contains(kept_key::kInitializersAreInputs)) return;
  for (const Node node : graph_.nodes()) {
    if (!names_.is_op(node, "Const") || node.has_attr(kept_key::kConstant) || listed.contains(std::string(node.name())))
      continue;
    const std::optional<Tensor> value = node.attr<Tensor>("value");
    if (!value) continue;
    encode_input(node.name(), {value->element_type(), PartialShape(value->shape())}, graph);
  }
}

Expected<void> ValueInfos::encode_outputs(Encoding& graph) {
  for (const Node& result : graph_.results()) {
    const Value tensor = result.input(0);
    if (!names_.is_linked() || !graph_.has_types()) {
      encode_name(names_.name_of(tensor), graph_field::kOutput, graph);
      continue;
    }
    Encoding info;
    encode_value_info(names_.name_of(tensor), tensor.type(), info, dimensions_.namer(is_body_));
    graph.message(graph_field::kOutput, info);
  }
  const AttributeList* const wanted = list_of(graph_.properties.find(kept_key::kModelOutputs));
  const auto written = encode_listed(kept_key::kModelOutputs, graph_field::kOutput, graph,
                                     [&](const std::string& name) { return names_.contains(name); });
  if (written.empty() && wanted && !wanted->empty())
    return error("MO-ONNX-0062", "no output of the model is left").hint("name the outputs to keep: --outputs=…");
  return {};
}

void ValueInfos::encode_others(Encoding& graph) {
  encode_listed(kept_key::kValueInfo, graph_field::kValueInfo, graph,
                [&](const std::string& name) { return names_.contains(name); });
}

}  // namespace mo::onnx
