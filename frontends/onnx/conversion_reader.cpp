#include "frontends/onnx/conversion_reader.hpp"

#include "frontends/onnx/attribute_message.hpp"
#include "frontends/onnx/entries.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;

ConversionReader::ConversionReader(ModelState& model, Scope scope)
    : GraphReader(model, scope.depth, TensorNames::on_ports), scope_(scope) {
  model_.graphs.push_back(graph_.get());
}

Value ConversionReader::capture(NameId tensor) {
  const std::string name(graph_->names()[tensor]);
  const Node parameter = graph_->create_parameter(TensorType(), name);
  parameter.set_origin({.framework = "ONNX", .part = "captured tensor"});
  captures_.push_back(name);
  const auto declared = declare(tensor, parameter.out_port(0));
  MO_ASSERT(declared, "a captured tensor that is known");
  return parameter.out_port(0);
}

Expected<Value> ConversionReader::from_outside(NameId tensor) { return may_capture_ ? capture(tensor) : Value(); }

// -- the parts of a graph ---------------------------------------------------------------------------------------------

Expected<void> ConversionReader::take_graph_field(const WireField& field) {
  switch (field.number) {
    case graph_field::kName: {
      MO_ASSIGN(graph_->name, short_text_of(model_.source, field));
      return {};
    }
    case graph_field::kDocString: {
      MO_ASSIGN(std::string text, text_of(model_.source, field));
      if (!text.empty()) graph_->properties.set("graph_doc_string", std::move(text));
      return {};
    }
    // Quantization parameters of tensors, which a conversion does not need.
    case graph_field::kQuantizationAnnotation: {
      AttributeMap record;
      AttributeMap names;
      MO_ASSIGN(WireReader annotation, message_of(model_.source, field));
      MO_TRY(annotation.each([&](const WireField& part) -> Expected<void> {
        if (part.number == annotation_field::kParameters) return add_entry(model_.source, part, names);
        if (part.number != annotation_field::kTensorName) return {};
        MO_ASSIGN(std::string tensor, text_of(model_.source, part, 64 * 1024));
        record.set("tensor_name", std::move(tensor));
        return {};
      }));
      record.set("parameters", std::move(names));
      annotations_.emplace_back(std::move(record));
      return {};
    }
    case graph_field::kMetadata: return add_entry(model_.source, field, metadata_);
    default: return {};  // value_info repeats what inference finds
  }
}

Expected<void> ConversionReader::add_parameters(bool is_main) {
  frontends::HashSet<std::string_view> constants;
  for (const NamedTensor& tensor : parts_.initializers) constants.insert(tensor.name);
  for (const ValueInfo& info : parts_.inputs) {
    if (info.name.empty())
      return error("MO-ONNX-0014", "an input of graph '{}' has no name", graph_->name)
          .hint("export the model again; onnx.checker finds such errors");
    // ONNX IR before version 4 lists all initializers among the inputs; later such an initializer is a default value,
    // which is what the model is converted with. Inputs of a body are given by position whatever their default.
    if (is_main && constants.contains(info.name)) continue;
    const Node parameter = graph_->create_parameter(info.type, info.name);
    parameter.set_origin({.framework = "ONNX", .part = "graph input"});
    parameter.add_source(info.name);
    MO_TRY(declare(graph_->names().intern(info.name), parameter.out_port(0)));
    if (!info.problem.empty() && (is_main || !info.holds_tensors)) problems_.push_back({parameter, info.problem});
  }
  return {};
}

Expected<void> ConversionReader::add_constants(bool is_main) {
  for (NamedTensor& tensor : parts_.initializers) {
    if (tensor.name.empty())
      return error("MO-ONNX-0014", "an initializer of graph '{}' has no name", graph_->name)
          .hint("export the model again; onnx.checker finds such errors");
    const NameId name = graph_->names().intern(tensor.name);
    if (!is_main && find(name) && find(name).node().is<Parameter>()) continue;
    const Node constant = graph_->create_constant(std::move(tensor.tensor), tensor.name);
    constant.set_origin({.framework = "ONNX", .part = "initializer"});
    constant.add_source(tensor.name);
    MO_TRY(declare(name, constant.out_port(0)));
  }
  parts_.initializers = {};
  return {};
}

// -- nodes ------------------------------------------------------------------------------------------------------------

Expected<const ConversionReader::OpInfo*> ConversionReader::op_info(std::string_view domain, std::string_view op_type) {
  key_.assign(domain).append(1, '\0').append(op_type);
  if (const auto it = ops_.find(key_); it != ops_.end()) return &it->second;
  OpInfo info;
  info.domain = normal_domain(domain);
  info.type = &dynamic_op_type(op_name(domain, op_type));
  if (const auto version = scope_.imports->find(info.domain)) {
    info.opset = *version;
  } else if (info.domain.empty()) {
    return error("MO-ONNX-0008", "operator {} is used, but no operator set of ONNX is imported", op_type)
        .hint("the model or function has no opset_import for domain \"\"; export the model again");
  } else if (model_.domains_warned_of.size() < 100 && model_.domains_warned_of.insert(info.domain).second) {
    model_.sink.report(warning("MO-ONNX-0009",
                               "domain {} is used, but not imported; version 1 of its operators is assumed",
                               info.domain)
                           .hint("add an opset_import for it when exporting the model"));
  }
  info.title = info.domain.empty() ? std::string(op_type) : fmt::format("{}.{}", info.domain, op_type);
  info.origin = graph_->intern_origin({.framework = "ONNX", .op = info.title, .version = info.opset});
  info.attributes.set("@opset", info.opset);
  if (!info.domain.empty()) info.attributes.set("@domain", info.domain);
  return &ops_.emplace(key_, std::move(info)).first->second;
}

Expected<void> ConversionReader::take_node_field(const WireField& field) {
  if (field.number != node_field::kOverload)
    return {};  // texts may be larger than the model, and a conversion does not read them
  MO_ASSIGN(overload_, short_text_of(model_.source, field));
  return {};
}

Expected<void> ConversionReader::create_node() {
  std::vector<NameId>& outputs = node_.outputs;
  while (!outputs.empty() && !outputs.back().valid()) outputs.pop_back();
  const NameId name = title_of_node();
  const std::string overload = std::exchange(overload_, {});
  const std::vector<NameId> captured = std::exchange(captured_inputs_, {});
  if (!captured.empty()) captured_ = {};
  if (node_.op_type.empty())
    return error("MO-ONNX-0013", "node '{}' has no operator (op_type)", graph_->names()[name])
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  MO_ASSIGN(const OpInfo* const info, op_info(node_.domain ? *node_.domain : std::string_view(), node_.op_type));
  AttributeMap& attributes = node_.attributes;
  if (!overload.empty()) attributes.set("@overload", overload);
  if (attributes.empty())
    attributes = info->attributes;  // shared by most nodes of a large model
  else
    for (const AttributeMap::Item& item : info->attributes) attributes.set(item.name, item.value);
  if (!captured.empty()) {
    std::vector<std::string> names;
    for (const NameId tensor : captured) names.emplace_back(graph_->names()[tensor]);
    attributes.set("@captures", std::move(names));
    node_.inputs.insert(node_.inputs.end(), captured.begin(), captured.end());
  }
  MO_ASSIGN(const Node node, create_connected(Op(*info->type, new AttributeMap(std::move(attributes))), name));
  node.set_origin(info->origin);
  node.add_source(name);
  return {};
}

Expected<void> ConversionReader::take_attribute(const WireField& field) {
  return read_attribute(field, node_.attributes);
}

Expected<void> ConversionReader::read_attribute(const WireField& message, AttributeMap& attributes) {
  AttributeMessage attribute;
  MO_TRY(attribute.read(model_.source, message, attributes));
  if (!attribute.reference.empty()) {
    if (!scope_.in_function)
      return error("MO-ONNX-0022", "attribute '{}' refers to attribute '{}' of a function, but is in no function",
                   attribute.name, attribute.reference)
          .hint("export the model again; onnx.checker finds such errors");
    if (attribute.kind == attribute_kind::kGraph || attribute.kind == attribute_kind::kGraphs)
      return error("MO-ONNX-0045", "attribute '{}' is a graph that is given to a function", attribute.name)
          .hint("export the model without functions");
    attributes.set(attribute.name, AttributeMap{{std::string(kReference), attribute.reference}});
    return {};
  }
  auto value = read_value(attribute);
  if (!value) {
    for (Diagnostic& d : value.error().items()) d.notes.push_back(fmt::format("in attribute '{}'", attribute.name));
    return std::move(value).error();
  }
  attributes.set(attribute.name, *std::move(value));
  return {};
}

Expected<AttributeValue> ConversionReader::read_value(AttributeMessage& attribute) {
  MO_ASSIGN(const std::uint32_t field, attribute.value_field());
  MO_ASSIGN(AttributeValue value, attribute.take_plain_value(field, model_.source, model_.tensors));
  if (!value.is_none()) return value;
  AttributeList list;
  for (const WireField& message : attribute.messages) {
    switch (field) {
      case attribute_field::kTensors: {
        MO_ASSIGN(NamedTensor tensor, model_.tensors.read(message));
        list.emplace_back(std::move(tensor.tensor));
        break;
      }
      case attribute_field::kSparse:
      case attribute_field::kSparses: {
        MO_ASSIGN(NamedTensor tensor, model_.tensors.read_sparse(message));
        list.emplace_back(std::move(tensor.tensor));
        break;
      }
      case attribute_field::kType:
      case attribute_field::kTypes: {
        MO_ASSIGN(AttributeMap record, read_type_record(model_, message));
        list.emplace_back(std::move(record));
        break;
      }
      default: {
        MO_ASSIGN(AttributeValue body, read_body(message));
        list.push_back(std::move(body));
        break;
      }
    }
  }
  if (is_single_message(field)) return std::move(list.front());
  return AttributeValue(std::move(list));
}

Expected<AttributeValue> ConversionReader::read_body(const WireField& message) {
  MO_TRY(check_depth());
  ConversionReader reader(model_, Scope{scope_.imports, scope_.in_function, depth_ + 1});
  MO_TRY(reader.read_graph(message, false));
  for (const std::string& name : reader.captures_) {
    const NameId tensor = graph_->names().intern(name);
    if (captured_.insert(tensor.index).second) captured_inputs_.push_back(tensor);
  }
  return AttributeValue(Body(reader.take_graph()));
}

// -- the whole --------------------------------------------------------------------------------------------------------

Expected<void> ConversionReader::add_results(const std::vector<std::string>& outputs, std::string_view suffix) {
  for (const std::string& name : outputs) {
    if (name.empty())
      return error("MO-ONNX-0014", "an output of graph '{}' has no name", graph_->name)
          .hint("export the model again; onnx.checker finds such errors");
    const NameId tensor = graph_->names().intern(name);
    Value source = find(tensor);
    if (!source) { MO_ASSIGN(source, from_outside(tensor)); }
    if (!source) {
      Diagnostic failed = unknown_tensor(tensor);
      failed.code = "MO-ONNX-0012";
      failed.message = fmt::format("output '{}' of the graph is produced by no node", name);
      return failed;
    }
    const Node result = graph_->create_result(source, name + std::string(suffix));
    result.set_origin({.framework = "ONNX",
                       .part = "graph output",
                       .public_name = depth_ == 0 ? std::string_view(name) : std::string_view()});
    result.add_source(name);
  }
  return {};
}

Expected<void> ConversionReader::finish() {
  std::vector<Diagnostic> failed;
  for (const Problem& problem : problems_) {
    const std::string name(problem.parameter.name());
    if (problem.parameter.out_port(0).destination_count() > 0) {
      if (failed.size() < kListed)
        failed.push_back(error("MO-ONNX-0015", "input '{}' is {}, which is not supported", name, problem.what)
                             .hint("only dense tensors can be inputs"));
    } else if (depth_ == 0) {
      graph_->erase(problem.parameter);
      Diagnostic dropped =
          warning("MO-ONNX-0016", "input '{}' is {} that no node uses; it is left out", name, problem.what);
      dropped.severity = Severity::note;
      model_.sink.report(std::move(dropped));
    }
  }
  if (!failed.empty()) return Error(std::move(failed));
  MO_TRY(graph_->topological_order());  // an error for a cycle
  return {};
}

Expected<void> ConversionReader::read_graph(const WireField& message, bool is_main) {
  may_capture_ = !is_main;
  MO_TRY(read_parts(message));
  if (!annotations_.empty()) graph_->properties.set("quantization_annotations", std::move(annotations_));
  if (!metadata_.empty()) graph_->properties.set("graph_metadata", std::move(metadata_));
  MO_TRY(add_parameters(is_main));
  MO_TRY(add_constants(is_main));
  MO_TRY(read_nodes(message, graph_field::kNode));
  MO_TRY(connect_pending());
  MO_TRY(add_results(parts_.outputs, "/sink_port_0"));
  return finish();
}

Expected<void> ConversionReader::read_function(const WireField& message, const std::vector<std::string>& inputs,
                                               const std::vector<std::string>& outputs) {
  for (const std::string& name : inputs) {
    if (name.empty())
      return error("MO-ONNX-0014", "an input of a function has no name")
          .hint("export the model again; onnx.checker finds such errors");
    const Node parameter = graph_->create_parameter(TensorType(), name);
    MO_TRY(declare(graph_->names().intern(name), parameter.out_port(0)));
  }
  MO_TRY(read_nodes(message, function_field::kNode));
  MO_TRY(connect_pending());
  MO_TRY(add_results(outputs, ""));
  return finish();
}

}  // namespace mo::onnx
