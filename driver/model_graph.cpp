#include "driver/model_graph.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/inference/infer.hpp"
#include "core/text/parser.hpp"
#include "driver/given_model.hpp"
#include "driver/pipeline.hpp"
#include "driver/replacements.hpp"
#include "frontends/ir/reader.hpp"

namespace mo {
namespace {

namespace fs = std::filesystem;

enum class FileKind { ir, text, framework };

/// By its first bytes: XML, or the word `graph` behind comments.
FileKind kind_of(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  for (int i = 0; i < 1000 && std::getline(in, line) && line.size() < 100'000; ++i) {
    const std::size_t start = line.find_first_not_of(" \t\r\xEF\xBB\xBF");
    if (start == std::string::npos || line[start] == '#') continue;
    const std::string_view rest = std::string_view(line).substr(start);
    if (rest.starts_with("<?xml") || rest.starts_with("<net")) return FileKind::ir;
    return rest.starts_with("graph(") || rest.starts_with("graph ") ? FileKind::text : FileKind::framework;
  }
  return FileKind::framework;
}

Expected<std::unique_ptr<Graph>> parse_file(const std::string& path, const OpRegistry& ops) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in) return error("MO-IO-0001", "cannot read '{}'", path).hint("check the path");
  auto graph = parse_graph(text, ops, {.infer = true, .allow_elided = true});
  if (!graph) return std::move(graph).error().in_file(path);
  (*graph)->set_has_types(true);
  return graph;
}

Expected<ModelGraph> load_framework_model(const Options& given, ModelStage stage, DiagnosticSink& sink) {
  Options options = given;
  adopt_model(options, kind_of_input_model(options));
  MO_TRY(find_model(options));
  MO_ASSIGN(std::unique_ptr<Assembly> assembly, assemble_for_model(options));
  MO_ASSIGN(const std::unique_ptr<PassManager> manager, make_pipeline(assembly->registry, assembly->framework, options));
  Settings settings = settings_of(options);
  MO_TRY(add_transform_settings(settings, options, *manager));
  MO_TRY(add_replacement_descriptors(settings, options, *manager, sink));
  const Frontend& frontend = assembly->registry.frontends().at(assembly->framework);
  auto graph = frontend.read(options.input_model, settings, sink);
  if (!graph) return std::move(graph).error().in_file(model_path(options)).in_phase("read");
  MO_TRY(choose_replacement_descriptors(settings, options, **graph, sink));
  PassContext context{sink, settings, &manager->config};
  for (const Phase phase : kPhases) {
    if (stage == ModelStage::inferred && phase > Phase::inference) break;
    MO_TRY(manager->run(phase, **graph, context));
  }
  return ModelGraph{std::move(assembly), *std::move(graph), false};
}

}  // namespace

Expected<ModelGraph> load_model(const Options& options, ModelStage stage, DiagnosticSink& sink) {
  MO_TRY(validate(options));
  const FileKind kind = fs::is_regular_file(options.input_model) ? kind_of(options.input_model) : FileKind::framework;
  if (kind == FileKind::framework) return load_framework_model(options, stage, sink);
  MO_ASSIGN(std::unique_ptr<Assembly> assembly, assemble_for(options, "onnx"));
  if (kind == FileKind::text) {
    MO_ASSIGN(std::unique_ptr<Graph> graph, parse_file(options.input_model, assembly->registry.ops()));
    return ModelGraph{std::move(assembly), std::move(graph), false};
  }
  MO_ASSIGN(std::unique_ptr<Graph> graph, ir::read_ir(options.input_model, "", assembly->registry.ops(), sink));
  MO_TRY(infer_graph(*graph));
  graph->set_has_types(true);
  return ModelGraph{std::move(assembly), std::move(graph), true};
}

}  // namespace mo
