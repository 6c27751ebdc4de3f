#include "frontends/onnx/model_reader.hpp"

#include <cstring>
#include <optional>

#include "frontends/common/fields.hpp"
#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/functions.hpp"
#include "frontends/onnx/graph_reader.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

namespace {

/// A ModelProto without its graph and functions.
struct Header {
  std::optional<std::int64_t> ir_version;
  OpsetImports imports;
  AttributeMap properties;
  AttributeMap metadata;
  std::optional<WireField> graph;
  std::vector<WireField> functions;
  bool has_training = false;
};

Expected<void> read_metadata(WireSource& source, const WireField& message, AttributeMap& into) {
  std::string key;
  std::string value;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != frontends::entry_field::kKey && field.number != frontends::entry_field::kValue) return {};
    MO_ASSIGN((field.number == frontends::entry_field::kKey ? key : value), text_of(source, field));
    return {};
  }));
  // Look-up is linear: more entries than anybody writes are left out.
  if (into.size() < limits::kAttributes) into.set(key, std::move(value));
  return {};
}

Expected<Header> read_header(WireSource& source, DiagnosticSink& sink) {
  Header header;
  const auto text = [&](const WireField& field, std::string_view name) -> Expected<void> {
    MO_ASSIGN(std::string value, text_of(source, field));
    if (!value.empty()) header.properties.set(name, std::move(value));
    return {};
  };
  WireReader reader(source);
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case model_field::kIrVersion: {
        if (field.type == WireType::bytes)
          return error("MO-ONNX-0001", "this is not an ONNX model: it does not begin with the version of the format")
              .hint("a TensorFlow or Caffe model looks like this: give --framework, or the right file");
        MO_ASSIGN(header.ir_version, integer_of(field));
        return {};
      }
      case model_field::kProducerName: return text(field, "producer_name");
      case model_field::kProducerVersion: return text(field, "producer_version");
      case model_field::kDomain: return text(field, "domain");
      case model_field::kModelVersion: {
        MO_ASSIGN(const std::int64_t version, integer_of(field));
        header.properties.set("model_version", version);
        return {};
      }
      case model_field::kDocString: return text(field, "doc_string");
      case model_field::kGraph:
        if (field.type != WireType::bytes) return wrong_wire_type(field, "bytes");
        if (header.graph)
          return error("MO-ONNX-0001", "the model has two graphs").hint("two models were joined; give one of them");
        header.graph = field;
        return {};
      case model_field::kOpsetImport: return header.imports.read(source, field, sink);
      case model_field::kMetadata: return read_metadata(source, field, header.metadata);
      case model_field::kTrainingInfo: header.has_training = true; return {};
      case model_field::kFunctions:
        if (header.functions.size() == limits::kNodes / 16)
          return error("MO-ONNX-0018", "the model has more than {} functions", header.functions.size())
              .hint("the file is corrupt: compare its checksum, and download or export it again");
        header.functions.push_back(field);
        return {};
      default: return {};
    }
  }));
  return header;
}

/// What the versions say about whether the model can be read. ONNX IR: ir_version is required; opset_import from
/// version 3 on.
Expected<void> check_header(Header& header, DiagnosticSink& sink) {
  if (!header.ir_version) {
    if (!header.graph)
      return error("MO-ONNX-0001", "this is not an ONNX model: it has neither a version nor a graph")
          .hint("give the path of the model");
    return error("MO-ONNX-0002", "the model has no ir_version")
        .hint("the model is incomplete: save it again with a current version of ONNX");
  }
  const std::int64_t version = *header.ir_version;
  if (version < 1 || version > 1000)
    return error("MO-ONNX-0002", "ir_version {} does not exist", version)
        .hint("versions up to {} are known; the file is corrupt or is not an ONNX model", kNewestIrVersion);
  if (version > kNewestIrVersion)
    sink.report(
        warning("MO-ONNX-0003", "ir_version {} is newer than {}, the newest one that is known", version,
                kNewestIrVersion)
            .hint("new parts of the format are ignored: compare results, or export the model with an older version"));
  if (!header.graph)
    return error("MO-ONNX-0001", "the model has no graph").hint("the file is truncated, or contains only functions");
  if (header.imports.empty()) {
    if (version >= 3)
      return error("MO-ONNX-0004", "the model does not declare its operator sets (opset_import)")
          .hint("ir_version 3 and later require it: save the model again with a current version of ONNX");
    MO_TRY(header.imports.add("", 1, sink));
  }
  if (header.has_training) {
    Diagnostic note = warning("MO-ONNX-0060", "the model has training information, which is left out");
    note.severity = Severity::note;
    sink.report(std::move(note));
  }
  return {};
}

/// Reads a FunctionProto.
Expected<Function> read_function(ModelState& model, const WireField& message, const OpsetImports& model_imports) {
  WireSource& source = model.source;
  std::string name;
  std::string domain;
  Function function;
  OpsetImports imports;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> attributes;
  std::vector<WireField> defaults;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case function_field::kName:
      case function_field::kDomain:
      case function_field::kOverload: {
        MO_ASSIGN((field.number == function_field::kName     ? name
                   : field.number == function_field::kDomain ? domain
                                                             : function.overload),
                  text_of(source, field, 64 * 1024));
        return {};
      }
      case function_field::kInput:
      case function_field::kOutput:
      case function_field::kAttribute: {
        MO_ASSIGN(std::string text, text_of(source, field, 64 * 1024));
        std::vector<std::string>& list = field.number == function_field::kInput    ? inputs
                                         : field.number == function_field::kOutput ? outputs
                                                                                   : attributes;
        if (list.size() == limits::kPorts)
          return error("MO-ONNX-0019", "function {} has more than {} inputs, outputs or attributes", name,
                       limits::kPorts)
              .hint("the file is corrupt: compare its checksum, and download or export it again");
        list.push_back(std::move(text));
        return {};
      }
      case function_field::kOpsetImport: return imports.read(source, field, model.sink);
      case function_field::kAttributeDefault:
        if (defaults.size() < limits::kAttributes) defaults.push_back(field);
        return {};
      default: return {};
    }
  }));
  if (name.empty())
    return error("MO-ONNX-0013", "a function has no name")
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  function.op = op_name(domain, name);
  function.attributes.insert(attributes.begin(), attributes.end());
  const auto place = [&](Error failed) {
    for (Diagnostic& d : failed.items()) d.notes.push_back(fmt::format("in function {}", function.shown()));
    return failed;
  };
  GraphReader graph(model, {.imports = imports.empty() ? &model_imports : &imports, .in_function = true, .depth = 0});
  for (const WireField& field : defaults)
    if (auto done = graph.read_attribute(field, function.defaults); !done) return place(std::move(done).error());
  for (const auto& item : function.defaults) function.attributes.insert(item.name);
  for (const auto& item : function.defaults)
    if (item.value.holds<Body>() || item.value.map() != nullptr)
      return place(error("MO-ONNX-0045", "the default of attribute '{}' is not a plain value", item.name)
                       .hint("export the model without functions"));
  if (auto done = graph.read_function(message, inputs, outputs); !done) return place(std::move(done).error());
  function.body = graph.take_graph();
  return function;
}

/// Float numbers of 4 and 8 bits are read as a wider type, which CastLike would take for the type that is wanted:
/// without an error its result would not be rounded as it should be.
Expected<void> check_widened_types(const ModelState& model) {
  if (model.tensors.widened_types().empty()) return {};
  for (const Graph* graph : model.graphs)
    for (const Node node : graph->nodes())
      if (node.type() == "onnx::CastLike")
        return node
            .error("MO-ONNX-0472",
                   "the model has tensors of {}, which the IR does not have: the target type of CastLike is unknown",
                   data_type_name(*model.tensors.widened_types().begin()))
            .hint("use Cast instead of CastLike when exporting the model");
  return {};
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_model_message(WireSource& source, const std::string& path, DiagnosticSink& sink,
                                                    Links links) {
  MO_ASSIGN(Header header, read_header(source, sink));
  MO_TRY(check_header(header, sink));
  ExternalFiles external(path, links);
  ModelState model(source, external, sink);

  FunctionLibrary functions;
  for (const WireField& field : header.functions) {
    MO_ASSIGN(Function function, read_function(model, field, header.imports));
    MO_TRY(functions.add(std::move(function)));
  }
  GraphReader reader(model, {.imports = &header.imports, .in_function = false, .depth = 0});
  MO_TRY(reader.read_main(*header.graph));
  std::unique_ptr<Graph> graph = reader.take_graph();
  // Symbols are those of the model: no graph may give one of them to another dimension.
  for (Graph* each : model.graphs) each->reserve_symbols(static_cast<Dimension::Symbol>(model.symbol_names.size()));
  MO_TRY(check_widened_types(model));
  MO_TRY(inline_functions(*graph, functions, sink));

  AttributeMap& properties = graph->properties;
  properties.set("onnx_ir_version", *header.ir_version);
  for (auto& item : header.properties) properties.set(item.name, std::move(item.value));
  AttributeMap imports;
  for (const auto& [domain, version] : header.imports.items())
    imports.set(domain.empty() ? "ai.onnx" : domain, version);
  properties.set("opset_imports", std::move(imports));
  if (!header.metadata.empty()) properties.set("metadata", std::move(header.metadata));
  if (!model.symbol_names.empty()) properties.set("dim_params", std::move(model.symbol_names));
  if (!functions.empty()) properties.set("function_count", static_cast<std::int64_t>(functions.size()));
  return graph;
}

}  // namespace mo::onnx
