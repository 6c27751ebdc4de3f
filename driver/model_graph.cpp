#include "driver/model_graph.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "core/inference/infer.hpp"
#include "core/op/carried_op.hpp"
#include "core/text/parser.hpp"
#include "driver/emission.hpp"
#include "driver/given_model.hpp"
#include "driver/work_meter.hpp"
#include "frontends/ir/reader.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

enum class FileKind { ir, text, framework };

Expected<std::string> read_text(const File& file, std::uint64_t most) {
  std::string text(std::min(file.size(), most), '\0');
  MO_TRY(file.read(0, std::as_writable_bytes(std::span(text.data(), text.size()))));
  return text;
}

/// By its first line that is no comment: XML, or the word `graph`.
FileKind kind_of(std::string_view beginning) {
  while (!beginning.empty()) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size() - 1);
    const std::string_view line = beginning.substr(0, end + 1);
    beginning.remove_prefix(end + 1);
    const std::size_t start = line.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (start == std::string_view::npos || line[start] == '#') continue;
    const std::string_view rest = line.substr(start);
    if (rest.starts_with("<?xml") || rest.starts_with("<net")) return FileKind::ir;
    return rest.starts_with("graph(") || rest.starts_with("graph ") ? FileKind::text : FileKind::framework;
  }
  return FileKind::framework;
}

Expected<FileKind> kind_of_model(const Options& options) {
  if (options.input_model.empty() || !options.framework.empty() || !fs::is_regular_file(options.input_model))
    return FileKind::framework;
  MO_ASSIGN(const FilePtr file, File::open(options.input_model));
  MO_ASSIGN(const std::string beginning, read_text(*file, 64 * 1024));
  return kind_of(beginning);
}

Expected<std::unique_ptr<Graph>> parse_file(const std::string& path, const OpRegistry& ops) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  MO_ASSIGN(const std::string text, read_text(*file, file->size()));
  auto graph = parse_graph(text, ops, {.infer = true, .allow_elided = true});
  if (!graph) return std::move(graph).error().in_file(path);
  if (framework_of_conversion(**graph).empty()) (*graph)->set_has_types(true);
  return graph;
}

Expected<ModelGraph> load_framework_model(const Options& given, const LoadOptions& how, DiagnosticSink& sink) {
  Options options = given;
  adopt_model(options, kind_of_input_model(options));
  MO_TRY(find_model(options));
  WorkMeter meter(nullptr);
  MO_ASSIGN(Conversion conversion, begin_conversion(options, meter, sink, !how.looks_at_registry));
  conversion.manager->before_pass = nullptr;  // the meter ends here
  ModelGraph model{std::move(conversion), ModelSource::framework};
  if (how.watch.read) how.watch.read(model);
  MO_TRY(advance(model, how.stage, sink, how.watch));
  return model;
}

/// The input of the graph that a user means: by its own name or that of its tensor.
Node input_called(const Graph& graph, const std::string& name) {
  for (const Node& parameter : graph.parameters()) {
    const std::vector<std::string_view> names = parameter.output().data().tensor_names();
    if (parameter.name() == name || std::find(names.begin(), names.end(), name) != names.end()) return parameter;
  }
  return {};
}

/// The nodes whose outputs stay as the file says, and what they read.
std::vector<std::pair<Node, std::vector<TensorType>>> carried_nodes(const Graph& graph) {
  std::vector<std::pair<Node, std::vector<TensorType>>> found;
  for (const Node node : graph.nodes()) {
    if (node.out_port_count() == 0 || node.in_port_count() == 0 || !keeps_declared_types(node)) continue;
    found.emplace_back(node, std::vector<TensorType>());
    for (std::size_t i = 0; i < node.in_port_count(); ++i) found.back().second.push_back(node.input_type(i));
  }
  return found;
}

/// --input and --input_shape give inputs of an IR or a text form another shape. Errors: MO-CUT-0001 (no such input), of
/// inference.
Expected<void> reshape(Graph& graph, const Options& options) {
  if (options.input_shapes.empty() && options.inputs.empty()) return infer_graph(graph);
  MO_TRY(infer_graph(graph));
  const auto carried = carried_nodes(graph);
  const std::vector<Node> parameters = graph.parameters();
  for (std::size_t i = 0; i < std::max(options.inputs.size(), options.input_shapes.size()); ++i) {
    const InputSpec* const input = i < options.inputs.size() ? &options.inputs[i] : nullptr;
    const Node node = input ? input_called(graph, input->text) : i < parameters.size() ? parameters[i] : Node();
    if (!node) {
      std::vector<std::string_view> names;
      for (const Node& parameter : parameters) names.push_back(parameter.name());
      return error("MO-CUT-0001", "there is no input '{}'", input ? input->text : std::to_string(i))
          .hint("the inputs are: {}", fmt::join(names, ", "));
    }
    if (input && input->shape)
      node.as<Parameter>()->shape = *input->shape;
    else if (i < options.input_shapes.size())
      node.as<Parameter>()->shape = options.input_shapes[i];
  }
  MO_TRY(infer_graph(graph));
  for (const auto& [node, types] : carried)
    for (std::size_t i = 0; i < types.size(); ++i)
      if (node.input_type(i) != types[i])
        return node
            .error("MO-IR-0015", "input {} becomes {}, and what the op makes of it is not known", i,
                   node.input_type(i).to_string())
            .hint("leave out --input and --input_shape, or load the extension that has the op with --extensions");
  return {};
}

}  // namespace

Expected<void> advance(ModelGraph& model, ModelStage stage, DiagnosticSink& sink, const ConversionWatch& watch) {
  if (stage == ModelStage::read || model.source != ModelSource::framework) return {};
  return run_phases(model, stage == ModelStage::inferred ? Phase::inference : Phase::finish, sink, watch);
}

Expected<ModelGraph> load_model(const Options& options, const LoadOptions& how, DiagnosticSink& sink) {
  MO_TRY(validate(options));
  MO_ASSIGN(const FileKind kind, kind_of_model(options));
  if (kind == FileKind::framework) return load_framework_model(options, how, sink);
  MO_ASSIGN(std::unique_ptr<Assembly> assembly, assemble_ops(options));
  const OpRegistry& ops = assembly->registry.ops();
  if (kind == FileKind::text) {
    MO_ASSIGN(std::unique_ptr<Graph> graph, parse_file(options.input_model, ops));
    if (const std::string framework = framework_of_conversion(*graph); !framework.empty()) {
      graph.reset();
      const auto parse = [&](const OpRegistry& all) { return parse_file(options.input_model, all); };
      MO_ASSIGN(Conversion conversion, resume_conversion(options, framework, parse, sink));
      return ModelGraph{std::move(conversion), ModelSource::text};
    }
    if (!options.inputs.empty() || !options.input_shapes.empty()) MO_TRY(reshape(*graph, options));
    return ModelGraph{{.assembly = std::move(assembly), .graph = std::move(graph)}, ModelSource::text};
  }
  MO_ASSIGN(std::unique_ptr<Graph> graph,
            ir::read_ir(options.input_model, how.weights, ops, sink,
                        {.check_weights = how.check_weights, .carries_unknown_ops = how.carries_unknown_ops}));
  MO_TRY(reshape(*graph, options));
  graph->set_has_types(true);
  return ModelGraph{{.assembly = std::move(assembly), .graph = std::move(graph)}, ModelSource::ir};
}

}  // namespace mo
