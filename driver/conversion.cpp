#include "driver/conversion.hpp"

#include <list>

#include "core/support/log.hpp"
#include "core/support/stopwatch.hpp"
#include "driver/emission.hpp"
#include "driver/framework.hpp"
#include "driver/given_model.hpp"
#include "driver/op_names.hpp"
#include "driver/pipeline.hpp"
#include "driver/replacements.hpp"
#include "driver/work_meter.hpp"

namespace mo {
namespace {

/// The graph as the frontend reads it, before anything is changed.
Expected<std::unique_ptr<Graph>> read_graph(const Options& options, const Frontend& frontend, const Settings& settings,
                                            WorkMeter& meter, DiagnosticSink& sink) {
  const Stopwatch reading;
  auto read = frontend.read(options.input_model, settings, sink);
  if (!read) return std::move(read).error().in_file(model_path(options)).in_phase("read");
  meter.graph_is_read(**read);
  log::info("read: {}, \"{}\": {} nodes, {:.3f} s", frontend.title, model_path(options), (*read)->node_count(),
            reading.seconds());
  return read;
}

/// Everything but the graph.
Expected<Conversion> prepare_conversion(const Options& options, std::unique_ptr<Assembly> assembly,
                                        DiagnosticSink& sink) {
  Conversion conversion;
  conversion.assembly = std::move(assembly);
  MO_ASSIGN(conversion.manager, make_pipeline(conversion.assembly->registry, conversion.assembly->framework, options));
  conversion.settings = settings_of(options);
  conversion.to_onnx = options.to_onnx;
  MO_TRY(add_transform_settings(conversion.settings, options, *conversion.manager));
  MO_TRY(add_replacement_descriptors(conversion.settings, options, *conversion.manager, sink));
  return conversion;
}

/// What depends on the graph: the names of replacers, the choice of a configuration.
Expected<void> look_at_graph(Conversion& conversion, const Options& options) {
  MO_TRY(check_op_names(conversion.assembly->registry, *conversion.manager, *conversion.graph));
  MO_ASSIGN(conversion.text, choose_replacement_descriptors(conversion.settings, options, *conversion.graph));
  return {};
}

}  // namespace

Expected<Conversion> begin_conversion(const Options& options, WorkMeter& meter, DiagnosticSink& sink, bool only_runs) {
  MO_ASSIGN(std::unique_ptr<Assembly> assembly, assemble_for_model(options, only_runs));
  MO_ASSIGN(Conversion conversion, prepare_conversion(options, std::move(assembly), sink));
  conversion.manager->before_pass = [&meter](const Pass& pass, const Graph&) { meter.pass(pass.name); };
  const std::string& framework = conversion.assembly->framework;
  if (!options.content_is_checked) MO_TRY(check_content(options, framework));
  MO_ASSIGN(conversion.graph, read_graph(options, conversion.assembly->registry.frontends().at(framework),
                                         conversion.settings, meter, sink));
  note_conversion(*conversion.graph, options, framework);
  MO_TRY(look_at_graph(conversion, options));
  return conversion;
}

Expected<Conversion> resume_conversion(
    const Options& options, const std::string& framework,
    const std::function<Expected<std::unique_ptr<Graph>>(const OpRegistry& ops)>& parse, DiagnosticSink& sink) {
  MO_ASSIGN(std::unique_ptr<Assembly> assembly, assemble_for(options, framework));
  MO_ASSIGN(Conversion conversion, prepare_conversion(options, std::move(assembly), sink));
  MO_ASSIGN(conversion.graph, parse(conversion.assembly->registry.ops()));
  MO_TRY(look_at_graph(conversion, options));
  return conversion;
}

void leave(Conversion conversion) {
  static auto& left = *new std::list<Conversion>;
  left.push_back(std::move(conversion));
}

Expected<void> run_phases(Conversion& conversion, Phase last, DiagnosticSink& sink, const ConversionWatch& watch) {
  PassContext context{sink, conversion.settings, &conversion.manager->config};
  for (const Phase phase : kPhases) {
    if (phase > last) break;
    if (phase == Phase::back && conversion.to_onnx) {
      // Ops that serve the conversion alone are in no IR and in no ONNX model.
      if (const Pass* const pass = conversion.manager->find("DecompressWeights"))
        MO_TRY(run_pass(*pass, *conversion.graph, context));
      continue;
    }
    if (watch.before_phase) watch.before_phase(phase, conversion);
    MO_TRY(conversion.manager->run(phase, *conversion.graph, context));
  }
  return {};
}

}  // namespace mo
