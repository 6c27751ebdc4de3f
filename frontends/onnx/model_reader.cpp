#include "frontends/onnx/model_reader.hpp"

#include <algorithm>
#include <set>

#include "frontends/onnx/conversion_reader.hpp"
#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/functions.hpp"
#include "frontends/onnx/model_header.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireSource;

namespace {

/// What the versions say about whether the model can be read. ONNX IR: ir_version is required; opset_import from
/// version 3 on.
Expected<void> check_header(ModelHeader& header, DiagnosticSink& sink) {
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
  MO_ASSIGN(const FunctionHeader header, read_function_header(model.source, message, model.sink));
  Function function;
  function.op = op_name(header.domain, header.name);
  function.overload = header.overload;
  function.attributes.insert(header.attributes.begin(), header.attributes.end());
  const auto place = [&](Error failed) {
    for (Diagnostic& d : failed.items()) d.notes.push_back(fmt::format("in function {}", function.shown()));
    return failed;
  };
  const OpsetImports& imports = header.imports.empty() ? model_imports : header.imports;
  ConversionReader graph(model, {.imports = &imports, .in_function = true, .depth = 0});
  for (const WireField& field : header.defaults)
    if (auto done = graph.read_default(field, function.defaults); !done) return place(std::move(done).error());
  for (const auto& item : function.defaults) {
    function.attributes.insert(item.name);
    if (item.value.holds<Body>() || item.value.map() != nullptr)
      return place(error("MO-ONNX-0045", "the default of attribute '{}' is not a plain value", item.name)
                       .hint("export the model without functions"));
  }
  if (auto done = graph.read_function(message, header.inputs, header.outputs); !done)
    return place(std::move(done).error());
  function.body = graph.take_graph();
  return function;
}

/// Returns true for a constant of a type that others are widened to.
bool is_widened_constant(const Value& value, const ModelState& model) {
  const Const* const constant = value ? value.node().as<Const>() : nullptr;
  if (!constant) return false;
  const std::set<std::int64_t>& types = model.tensors.widened_types();
  return std::any_of(types.begin(), types.end(), [&](std::int64_t data_type) {
    return widened_type_of(data_type)->widened == constant->value.element_type();
  });
}

/// Tensors of some types are read as a wider one (WidenedType), which CastLike and QuantizeLinear would take for the
/// type of their result: without an error it would not be rounded and limited as it should be.
Expected<void> check_widened_types(const ModelState& model) {
  if (model.tensors.widened_types().empty()) return {};
  for (const Graph* graph : model.graphs)
    for (const Node node : graph->nodes()) {
      const bool takes_type = node.type() == "onnx::CastLike" ||
                              (node.type() == "onnx::QuantizeLinear" && is_widened_constant(node.input(2), model));
      if (takes_type)
        return node
            .error("MO-ONNX-0472",
                   "the model has tensors of {}, which the IR does not have: the target type of {} is unknown",
                   data_type_name(*model.tensors.widened_types().begin()),
                   node.type().substr(node.type().rfind(':') + 1))
            .hint("export the model with another element type");
    }
  return {};
}

}  // namespace

Expected<std::unique_ptr<Graph>> read_model_message(WireSource& source, const std::string& path, DiagnosticSink& sink,
                                                    Links links) {
  MO_ASSIGN(ModelHeader header, read_model_header(source, sink));
  MO_TRY(check_header(header, sink));
  ExternalFiles external(path, links);
  ModelState model(source, external, sink);

  FunctionLibrary functions;
  for (const WireField& field : header.functions) {
    MO_ASSIGN(Function function, read_function(model, field, header.imports));
    MO_TRY(functions.add(std::move(function)));
  }
  ConversionReader reader(model, {.imports = &header.imports, .in_function = false, .depth = 0});
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
