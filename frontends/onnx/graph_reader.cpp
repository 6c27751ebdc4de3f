#include "frontends/onnx/graph_reader.hpp"

#include <algorithm>

#include "core/support/nearest.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;

namespace {

/// At most this many errors of one kind are listed.
constexpr std::size_t kListed = 20;

}  // namespace

/// A GraphProto without its nodes.
struct GraphReader::Parts {
  std::vector<ValueInfo> inputs;
  std::vector<std::string> outputs;
  std::vector<NamedTensor> initializers;
};

GraphReader::GraphReader(ModelState& model, Scope scope)
    : model_(model), scope_(scope), graph_(std::make_unique<Graph>()) {
  model_.graphs.push_back(graph_.get());
}

// -- names ------------------------------------------------------------------------------------------------------------

Expected<NameId> GraphReader::intern(const WireField& field) {
  MO_ASSIGN(const std::string_view text, short_text_of(model_.source, field));
  return text.empty() ? NameId{} : graph_->names().intern(text);
}

Value GraphReader::find(NameId tensor) const {
  const bool known = tensor.index < producers_.size() && producers_[tensor.index].valid();
  return known ? Value(graph_.get(), producers_[tensor.index]) : Value();
}

Expected<void> GraphReader::declare(NameId tensor, const Value& value) {
  if (const Value other = find(tensor))
    return error("MO-ONNX-0010", "tensor '{}' is produced twice, by '{}' and by '{}'", graph_->names()[tensor],
                 other.node().name(), value.node().name())
        .hint("every tensor of a graph needs a unique name; export the model again (onnx.checker finds such errors)");
  if (tensor.index >= producers_.size())
    producers_.resize(std::max<std::size_t>(tensor.index + 1, producers_.size() * 2));
  producers_[tensor.index] = value.id();
  value.data().add_tensor_name(tensor);
  return {};
}

Value GraphReader::capture(NameId tensor) {
  const std::string name(graph_->names()[tensor]);
  const Node parameter = graph_->create_parameter(TensorType(), name);
  parameter.set_origin({.framework = "ONNX", .part = "captured tensor"});
  captures_.push_back(name);
  const auto declared = declare(tensor, parameter.out_port(0));
  MO_ASSERT(declared, "a captured tensor that is known");
  return parameter.out_port(0);
}

Diagnostic GraphReader::unknown_tensor(NameId tensor) const {
  const std::string_view name = graph_->names()[tensor];
  std::vector<std::string> known;
  for (std::uint32_t i = 0; i < producers_.size() && known.size() < 20'000; ++i)
    if (producers_[i].valid()) known.emplace_back(graph_->names()[NameId{i}]);
  Diagnostic failed = error("MO-ONNX-0011", "there is no tensor '{}'", name.substr(0, 200));
  const std::string close = nearest(name, known);
  if (close.empty()) return std::move(failed).hint("the model is incomplete or was edited: export it again");
  return std::move(failed).hint("did you mean '{}'? Otherwise the model is incomplete: export it again", close);
}

// -- the parts of a graph ---------------------------------------------------------------------------------------------

Expected<GraphReader::Parts> GraphReader::read_parts(const WireField& message) {
  Parts parts;
  AttributeList annotations;
  AttributeMap metadata;
  const auto read_pair = [&](const WireField& field, AttributeMap& into) -> Expected<void> {
    std::string key;
    std::string value;
    MO_ASSIGN(WireReader pair, message_of(model_.source, field));
    MO_TRY(pair.each([&](const WireField& part) -> Expected<void> {
      if (part.number != frontends::entry_field::kKey && part.number != frontends::entry_field::kValue) return {};
      MO_ASSIGN((part.number == frontends::entry_field::kKey ? key : value), text_of(model_.source, part));
      return {};
    }));
    if (into.size() < limits::kAttributes) into.set(key, std::move(value));
    return {};
  };
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case graph_field::kName: {
        MO_ASSIGN(const std::string_view name, short_text_of(model_.source, field));
        graph_->name = name;
        return {};
      }
      case graph_field::kInitializer:
      case graph_field::kSparseInitializer: {
        MO_TRY(model_.take_node());
        MO_ASSIGN(NamedTensor tensor, field.number == graph_field::kInitializer ? model_.tensors.read(field)
                                                                                : model_.tensors.read_sparse(field));
        parts.initializers.push_back(std::move(tensor));
        return {};
      }
      case graph_field::kDocString: {
        MO_ASSIGN(std::string text, text_of(model_.source, field));
        if (!text.empty()) graph_->properties.set("graph_doc_string", std::move(text));
        return {};
      }
      case graph_field::kInput: {
        MO_TRY(model_.take_node());
        MO_ASSIGN(ValueInfo info, read_value_info(model_, field));
        parts.inputs.push_back(std::move(info));
        return {};
      }
      case graph_field::kOutput: {
        MO_TRY(model_.take_node());
        MO_ASSIGN(ValueInfo info, read_value_info(model_, field));
        parts.outputs.push_back(std::move(info.name));
        return {};
      }
      case graph_field::
          // TensorAnnotation: quantization parameters of tensors, which nobody needs here but a writer would
          kQuantizationAnnotation: {
        AttributeMap record;
        AttributeMap names;
        MO_ASSIGN(WireReader annotation, message_of(model_.source, field));
        MO_TRY(annotation.each([&](const WireField& part) -> Expected<void> {
          if (part.number == annotation_field::kParameters) return read_pair(part, names);
          if (part.number != annotation_field::kTensorName) return {};
          MO_ASSIGN(std::string tensor, text_of(model_.source, part, 64 * 1024));
          record.set("tensor_name", std::move(tensor));
          return {};
        }));
        record.set("parameters", std::move(names));
        annotations.emplace_back(std::move(record));
        return {};
      }
      case graph_field::kMetadata: return read_pair(field, metadata);
      default: return {};  // nodes come later; value_info repeats what inference finds
    }
  }));
  if (!annotations.empty()) graph_->properties.set("quantization_annotations", std::move(annotations));
  if (!metadata.empty()) graph_->properties.set("graph_metadata", std::move(metadata));
  return parts;
}

Expected<void> GraphReader::add_parameters(const Parts& parts, bool is_main) {
  frontends::HashSet<std::string_view> constants;
  for (const NamedTensor& tensor : parts.initializers) constants.insert(tensor.name);
  for (const ValueInfo& info : parts.inputs) {
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

Expected<void> GraphReader::add_constants(Parts& parts, bool is_main) {
  for (NamedTensor& tensor : parts.initializers) {
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
  parts.initializers.clear();
  return {};
}

// -- nodes ------------------------------------------------------------------------------------------------------------

Expected<const GraphReader::OpInfo*> GraphReader::op_info(std::string_view domain, std::string_view op_type) {
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
  return &ops_.emplace(key_, std::move(info)).first->second;
}

Expected<void> GraphReader::read_nodes(const WireField& message, std::uint32_t node_field) {
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    return field.number == node_field ? read_node(field) : Expected<void>();
  });
}

Expected<void> GraphReader::read_node(const WireField& message) {
  MO_TRY(model_.take_node());
  MO_ASSIGN(WireReader reader, message_of(model_.source, message));
  // One read for the whole node instead of one for each name at the edge of the window.
  if (message.size <= frontends::WireSource::kWindow) MO_TRY(model_.source.fetch(message.offset, message.size));
  inputs_.clear();
  outputs_.clear();
  captured_inputs_.clear();
  if (!captured_.empty()) captured_ = {};  // clear() would keep the room of the widest node, and walk it for each
  NameId name;
  std::string op_type;
  std::string domain;
  std::string overload;
  AttributeReader attributes(*this);
  auto done = reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case node_field::kInput:
      case node_field::kOutput: {
        std::vector<NameId>& ports = field.number == node_field::kInput ? inputs_ : outputs_;
        if (ports.size() == limits::kPorts)
          return error("MO-ONNX-0019", "a node has more than {} inputs or outputs", limits::kPorts)
              .hint("the file is corrupt: compare its checksum, and download or export it again");
        MO_ASSIGN(const NameId tensor, intern(field));
        ports.push_back(tensor);
        return {};
      }
      case node_field::kName: {
        MO_ASSIGN(name, intern(field));
        return {};
      }
      case node_field::kOpType:
      case node_field::kDomain:
      case node_field::kOverload: {
        MO_ASSIGN(const std::string_view text, short_text_of(model_.source, field));
        (field.number == node_field::kOpType   ? op_type
         : field.number == node_field::kDomain ? domain
                                               : overload) = text;
        return {};
      }
      case node_field::kAttribute: return attributes.read(field);
      default: return {};  // doc strings may be larger than the model, and nobody reads them again
    }
  });
  while (!outputs_.empty() && !outputs_.back().valid()) outputs_.pop_back();
  if (!name.valid()) {
    const auto named = std::find_if(outputs_.begin(), outputs_.end(), [](NameId id) { return id.valid(); });
    name = named != outputs_.end() ? *named
                                   : graph_->names().intern(fmt::format("{}_{}", op_type, graph_->node_capacity()));
  }
  if (!done) return std::move(done).error().at_node(graph_->names()[name], op_type);
  if (!overload.empty()) attributes.attributes.set("@overload", overload);
  if (auto created = create_node(name, op_type, domain, std::move(attributes.attributes)); !created)
    return std::move(created).error().at_node(graph_->names()[name], op_type);
  return {};
}

Expected<void> GraphReader::create_node(NameId name, std::string_view op_type, std::string_view domain,
                                        AttributeMap attributes) {
  if (op_type.empty())
    return error("MO-ONNX-0013", "node '{}' has no operator (op_type)", graph_->names()[name])
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  MO_ASSIGN(const OpInfo* const info, op_info(domain, op_type));
  attributes.set("@opset", info->opset);
  if (!info->domain.empty()) attributes.set("@domain", info->domain);
  if (!captured_inputs_.empty()) {
    std::vector<std::string> captured;
    for (const NameId tensor : captured_inputs_) captured.emplace_back(graph_->names()[tensor]);
    attributes.set("@captures", std::move(captured));
    inputs_.insert(inputs_.end(), captured_inputs_.begin(), captured_inputs_.end());
  }
  values_.clear();
  for (const NameId tensor : inputs_) values_.push_back(find(tensor));
  const Node node =
      graph_->create_node(Op(*info->type, new AttributeMap(std::move(attributes))), values_, outputs_.size());
  node.set_name(name);
  node.set_origin(info->origin);
  node.add_source(name);
  // What is not known yet is produced by a later node, or comes from outside.
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].valid() && !values_[i]) pending_.push_back({node.in_port(i).id(), inputs_[i]});
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (outputs_[i].valid()) MO_TRY(declare(outputs_[i], node.out_port(i)));
  return {};
}

Expected<void> GraphReader::connect_pending(bool may_capture) {
  std::vector<Diagnostic> unknown;
  for (const Pending& pending : pending_) {
    const InPort port(graph_.get(), pending.use);
    Value source = find(pending.tensor);
    if (!source && may_capture) source = capture(pending.tensor);
    if (source) {
      MO_TRY(port.connect(source));
    } else if (unknown.size() < kListed) {
      unknown.push_back(port.node().describe(unknown_tensor(pending.tensor)));
    }
  }
  pending_.clear();
  if (!unknown.empty()) return Error(std::move(unknown));
  return {};
}

Expected<void> GraphReader::add_results(const std::vector<std::string>& outputs, std::string_view suffix,
                                        bool may_capture) {
  for (const std::string& name : outputs) {
    if (name.empty())
      return error("MO-ONNX-0014", "an output of graph '{}' has no name", graph_->name)
          .hint("export the model again; onnx.checker finds such errors");
    const NameId tensor = graph_->names().intern(name);
    Value source = find(tensor);
    if (!source && may_capture) source = capture(tensor);
    if (!source) {
      Diagnostic failed = unknown_tensor(tensor);
      failed.code = "MO-ONNX-0012";
      failed.message = fmt::format("output '{}' of the graph is produced by no node", name);
      return failed;
    }
    const Node result = graph_->create_result(source, name + std::string(suffix));
    result.set_origin({.framework = "ONNX",
                       .part = "graph output",
                       .public_name = scope_.depth == 0 ? std::string_view(name) : std::string_view()});
    result.add_source(name);
  }
  return {};
}

Expected<void> GraphReader::finish() {
  std::vector<Diagnostic> failed;
  for (const Problem& problem : problems_) {
    const std::string name(problem.parameter.name());
    if (problem.parameter.out_port(0).destination_count() > 0) {
      if (failed.size() < kListed)
        failed.push_back(error("MO-ONNX-0015", "input '{}' is {}, which is not supported", name, problem.what)
                             .hint("only dense tensors can be inputs"));
    } else if (scope_.depth == 0) {
      graph_->erase(problem.parameter);
      Diagnostic dropped =
          warning("MO-ONNX-0016", "input '{}' is {} that no node uses; it is left out", name, problem.what);
      dropped.severity = Severity::note;
      model_.sink.report(std::move(dropped));
    }
  }
  if (!failed.empty()) return Error(std::move(failed));
  MO_TRY(graph_->topological_order());  // an error for a cycle
  producers_ = {};
  return {};
}

Expected<void> GraphReader::read_graph(const WireField& message, bool is_main) {
  MO_ASSIGN(Parts parts, read_parts(message));
  MO_TRY(add_parameters(parts, is_main));
  MO_TRY(add_constants(parts, is_main));
  MO_TRY(read_nodes(message, graph_field::kNode));
  MO_TRY(connect_pending(!is_main));
  MO_TRY(add_results(parts.outputs, "/sink_port_0", !is_main));
  return finish();
}

Expected<void> GraphReader::read_main(const WireField& message) { return read_graph(message, true); }
Expected<void> GraphReader::read_body(const WireField& message) { return read_graph(message, false); }

Expected<void> GraphReader::read_function(const WireField& message, const std::vector<std::string>& inputs,
                                          const std::vector<std::string>& outputs) {
  for (const std::string& name : inputs) {
    if (name.empty())
      return error("MO-ONNX-0014", "an input of a function has no name")
          .hint("export the model again; onnx.checker finds such errors");
    const Node parameter = graph_->create_parameter(TensorType(), name);
    MO_TRY(declare(graph_->names().intern(name), parameter.out_port(0)));
  }
  MO_TRY(read_nodes(message, function_field::kNode));
  MO_TRY(connect_pending(false));
  MO_TRY(add_results(outputs, "", false));
  return finish();
}

Expected<void> GraphReader::read_attribute(const WireField& message, AttributeMap& attributes) {
  AttributeReader reader(*this);
  reader.attributes = std::move(attributes);
  MO_TRY(reader.read(message));
  attributes = std::move(reader.attributes);
  return {};
}

}  // namespace mo::onnx
