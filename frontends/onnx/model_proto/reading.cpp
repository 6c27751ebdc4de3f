#include <unordered_map>
#include <unordered_set>

#include "frontends/common/field_record.hpp"
#include "frontends/common/file_kind.hpp"
#include "frontends/common/model_kind.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/graph_proto.hpp"
#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_proto/node_parts.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "frontends/onnx/model_state.hpp"
#include "frontends/onnx/value_info.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

class ModelProtoReader {
 public:
  ModelProtoReader(WireSource& source, const std::string& path, Links links, DiagnosticSink& sink)
      : source_(source), external_(path, links), state_(source, external_, sink) {}

  Expected<std::unique_ptr<Graph>> read() {
    std::optional<WireField> graph;
    AttributeList fields;
    OpsetImports imports;
    WireReader reader(source_);
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      if (field.number == model_field::kGraph && field.type == frontends::WireType::bytes && !graph) {
        graph = field;
        return {};
      }
      if (field.number == model_field::kIrVersion) { MO_ASSIGN(version_, integer_of(field)); }
      if (field.number == model_field::kOpsetImport) MO_TRY(imports.read(source_, field, state_.sink));
      return keep(field, fields);
    }));
    if (!graph)
      return error("MO-ONNX-0001", "this is not an ONNX model: it has no graph").hint("give the path of the model");
    graph_->properties.set(kept_key::kModelFields, std::move(fields));
    graph_->properties.set(kept_key::kOpset, imports.find("").value_or(1));
    MO_TRY(read_graph(*graph));
    note_initializers();
    MO_TRY(connect());
    return std::move(graph_);
  }

  /// The whole source is a GraphProto or a FunctionProto.
  Expected<std::unique_ptr<Graph>> read_inner(InnerMessage kind, std::int64_t opset) {
    graph_->properties.set(kept_key::kOpset, opset);
    graph_->properties.set(kept_key::kInner, true);
    const WireField whole{.number = 1, .type = frontends::WireType::bytes, .offset = 0, .size = source_.size()};
    MO_TRY(kind == InnerMessage::body ? read_graph(whole) : read_function(whole));
    MO_TRY(create_given());
    MO_TRY(connect());
    return std::move(graph_);
  }

 private:
  Expected<void> read_function(const WireField& message) {
    AttributeList fields;
    AttributeList outputs;
    OpsetImports imports;
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      if (field.number == function_field::kNode) return read_node(field);
      if (field.number == function_field::kOpsetImport) MO_TRY(imports.read(source_, field, state_.sink));
      std::string name;
      if (field.number == function_field::kInput || field.number == function_field::kOutput) {
        MO_ASSIGN(name, text_of(source_, field));
      }
      if (field.number == function_field::kInput) MO_TRY(create_given(name));
      if (field.number == function_field::kOutput) outputs.emplace_back(AttributeList{name});
      return keep(field, fields);
    }));
    graph_->properties.set(kept_key::kFunctionFields, std::move(fields));
    graph_->properties.set(kept_key::kModelOutputs, std::move(outputs));
    if (const auto version = imports.find("")) graph_->properties.set(kept_key::kOpset, *version);
    return {};
  }

  Expected<void> create_given(const std::string& name) {
    AttributeMap attributes;
    attributes.set(kept_key::kGiven, true);
    MO_TRY(create("Placeholder", std::move(attributes), 0, {name}));
    return {};
  }

  /// What nobody here makes is given from outside.
  Expected<void> create_given() {
    std::vector<std::string> read;
    for (const std::vector<std::string>& names : inputs_) read.insert(read.end(), names.begin(), names.end());
    for (const Node node : graph_->nodes())
      if (const AttributeValue* const captures = node.find_attribute(kept_key::kCaptures))
        for (const std::string& name : *captures->get_if<std::vector<std::string>>()) read.push_back(name);
    for (const AttributeValue& entry : *graph_->properties.find(kept_key::kModelOutputs)->get_if<AttributeList>())
      read.push_back(*entry.get_if<AttributeList>()->front().get_if<std::string>());
    for (const std::string& name : read)
      if (!name.empty() && !producers_.contains(name)) MO_TRY(create_given(name));
    return {};
  }

  Expected<void> keep(const WireField& field, AttributeList& records) {
    MO_ASSIGN(AttributeValue record, record_of(source_, field));
    records.push_back(std::move(record));
    return {};
  }

  Expected<void> read_graph(const WireField& message) {
    AttributeList fields;
    AttributeList inputs;
    AttributeList outputs;
    AttributeList value_info;
    std::vector<WireField> nodes;
    std::vector<WireField> declared;
    MO_ASSIGN(WireReader reader, message_of(source_, message));
    MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
      switch (field.number) {
        case graph_field::kNode: nodes.push_back(field); return {};
        case graph_field::kInitializer: return read_initializer(field);
        case graph_field::kSparseInitializer: return read_sparse_initializer(field);
        case graph_field::kInput: declared.push_back(field); return keep_value(field, inputs);
        case graph_field::kOutput: return keep_value(field, outputs);
        case graph_field::kValueInfo: return keep_value(field, value_info);
        default: return keep(field, fields);
      }
    }));
    graph_->properties.set(kept_key::kGraphFields, std::move(fields));
    graph_->properties.set(kept_key::kModelInputs, std::move(inputs));
    graph_->properties.set(kept_key::kModelOutputs, std::move(outputs));
    graph_->properties.set(kept_key::kValueInfo, std::move(value_info));
    for (const WireField& field : declared) MO_TRY(read_input(field));
    for (const WireField& field : nodes) MO_TRY(read_node(field));
    return {};
  }

  void note_initializers() {
    constexpr std::int64_t kInitializersAlone = 4;  // ONNX: since this version they need not be inputs
    if (version_ >= kInitializersAlone) return;
    std::unordered_set<std::string_view> inputs;
    for (const AttributeValue& entry : *graph_->properties.find(kept_key::kModelInputs)->get_if<AttributeList>())
      inputs.insert(*entry.get_if<AttributeList>()->front().get_if<std::string>());
    for (const Node node : graph_->nodes())
      if (node.has_attr(kept_key::kTensor) && !inputs.contains(node.name())) return;
    graph_->properties.set(kept_key::kInitializersAreInputs, true);
  }

  /// [name, ValueInfoProto].
  Expected<void> keep_value(const WireField& field, AttributeList& values) {
    std::string name;
    MO_ASSIGN(WireReader reader, message_of(source_, field));
    MO_TRY(reader.each([&](const WireField& part) -> Expected<void> {
      if (part.number != value_field::kName) return {};
      MO_ASSIGN(name, text_of(source_, part));
      return {};
    }));
    MO_ASSIGN(const AttributeValue whole, record_of(source_, field));
    values.emplace_back(AttributeList{std::move(name), *frontends::payload_of_record(whole)});
    return {};
  }

  /// An input, unless an initializer gives its value.
  Expected<void> read_input(const WireField& field) {
    MO_ASSIGN(const ValueInfo info, read_value_info(state_, field));
    if (producers_.contains(info.name)) return {};
    AttributeMap attributes{{"dtype", info.type.element_type}, {"shape", info.type.shape}};
    MO_TRY(create("Placeholder", std::move(attributes), 0, {info.name}));
    return {};
  }

  Expected<void> read_initializer(const WireField& field) {
    MO_ASSIGN(NamedTensor read, state_.tensors.read(field));
    AttributeList records;
    MO_ASSIGN(WireReader reader, message_of(source_, field));
    MO_TRY(reader.each([&](const WireField& part) {
      return part.number == tensor_field::kName ? Expected<void>() : keep(part, records);
    }));
    AttributeMap attributes = constant_attributes(read.tensor);
    attributes.set(kept_key::kTensor, AttributeList{read.tensor, std::move(records)});
    MO_TRY(create("Const", std::move(attributes), 0, {read.name}));
    return {};
  }

  static AttributeMap constant_attributes(const Tensor& value) {
    return AttributeMap{{"dtype", value.element_type()}, {"value", value}};
  }

  /// Kept as it stands.
  Expected<void> read_sparse_initializer(const WireField& field) {
    MO_ASSIGN(const NamedTensor read, state_.tensors.read_sparse(field));
    AttributeList records;
    MO_TRY(keep(field, records));
    MO_TRY(create("SparseConst", AttributeMap{{std::string(kept_key::kWire), std::move(records)}}, 0, {read.name}));
    return {};
  }

  Expected<void> read_node(const WireField& message) {
    MO_ASSIGN(NodeParts parts, read_node_parts(source_, state_.tensors, message));
    MO_ASSIGN(const Node node, create(parts.op, std::move(parts.attributes), parts.inputs.size(), parts.outputs));
    if (parts.inputs.empty()) return {};
    readers_.push_back(node);
    inputs_.push_back(std::move(parts.inputs));
    return {};
  }

  Expected<Node> create(const std::string& op, AttributeMap attributes, std::size_t inputs,
                        const std::vector<std::string>& outputs) {
    MO_TRY(state_.take_node());
    const std::string name = first_name(outputs);
    if (name.empty())
      return error("MO-ONNX-0065", "{} has no output with a name", op)
          .hint("the file is corrupt: compare its checksum, and download or export it again");
    const std::vector<Value> unconnected(inputs);
    const Node node = graph_->create_node(Op("onnx::" + op, std::move(attributes)), unconnected, outputs.size(), name);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (!outputs[i].empty() && !producers_.emplace(outputs[i], node.out_port(i)).second)
        return error("MO-ONNX-0010", "tensor '{}' is produced twice", outputs[i])
            .hint(
                "every tensor of a graph needs a unique name; export the model again (onnx.checker finds such errors)");
    return node;
  }

  Expected<Value> find(const std::string& tensor) const {
    const auto found = producers_.find(tensor);
    if (found == producers_.end())
      return error("MO-ONNX-0011", "there is no tensor '{}'", tensor)
          .hint("the model is incomplete or was edited: export it again");
    return found->second;
  }

  Expected<void> connect() {
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      for (std::size_t port = 0; port < inputs_[i].size(); ++port) {
        if (inputs_[i][port].empty()) continue;
        MO_ASSIGN(const Value source, find(inputs_[i][port]));
        const auto connected = readers_[i].in_port(port).connect(source);
        MO_ASSERT(connected, "both nodes are of one graph");
      }
    }
    // What graphs in attributes read has to be there before: nodes that read nothing else may have such graphs, too.
    for (const Node node : graph_->nodes()) {
      const AttributeValue* const captures = node.find_attribute(kept_key::kCaptures);
      if (!captures) continue;
      for (const std::string& name : *captures->get_if<std::vector<std::string>>()) {
        MO_ASSIGN(const Value source, find(name));
        node.add_control_input(source.node());
      }
    }
    return {};
  }

  WireSource& source_;
  ExternalFiles external_;
  ModelState state_;
  std::int64_t version_ = 8;  ///< of the format; a model that does not say one is new
  std::unique_ptr<Graph> graph_ = std::make_unique<Graph>();
  std::unordered_map<std::string, Value> producers_;
  std::vector<Node> readers_;
  std::vector<std::vector<std::string>> inputs_;  ///< of `readers_`
};

Expected<std::unique_ptr<Graph>> read_from_memory(std::string_view bytes, const std::string& path, Links links,
                                                  DiagnosticSink& sink) {
  MO_ASSIGN(BufferPtr buffer, frontends::copy_to_buffer(bytes));
  WireSource source(std::move(buffer), path.empty() ? "the model in memory" : path);
  return ModelProtoReader(source, path, links, sink).read();
}

Expected<std::unique_ptr<Graph>> read_file(const std::string& path, DiagnosticSink& sink, Links links) {
  MO_ASSIGN(OpenedModel file, open_model(path));
  if (!file.binary) {
    MO_ASSIGN(const std::string bytes, model_from_text(file.text));
    std::string().swap(file.text);  // an assignment keeps the memory
    return read_from_memory(bytes, path, links, sink);
  }
  WireSource source(std::move(file.binary));
  return ModelProtoReader(source, path, links, sink).read();
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_model_proto(const std::string& path, DiagnosticSink& sink, Links links) {
  auto graph = read_file(path, sink, links);
  if (!graph) return std::move(graph).error().in_file(path);
  return graph;
}

Expected<std::unique_ptr<Graph>> read_inner_message(const Tensor& bytes, InnerMessage kind, std::int64_t opset) {
  MO_ASSIGN(const Tensor loaded, bytes.load());
  MO_ASSIGN(BufferPtr buffer,
            frontends::copy_to_buffer({reinterpret_cast<const char*>(loaded.bytes().data()), loaded.bytes().size()}));
  WireSource source(std::move(buffer), "a graph inside of the model");
  DiagnosticList remarks;
  return ModelProtoReader(source, "", Links::refused, remarks).read_inner(kind, opset);
}

Expected<std::unique_ptr<Graph>> read_model_proto_bytes(std::string_view bytes, DiagnosticSink& sink) {
  return read_from_memory(bytes, "", Links::refused, sink);
}

}  // namespace mo::onnx
