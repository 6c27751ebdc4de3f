#include <fmt/format.h>
#include <re2/re2.h>

#include <cstdio>
#include <filesystem>

#include "core/diagnostics/exit_code.hpp"
#include "core/inference/infer.hpp"
#include "core/text/printer.hpp"
#include "driver/emission.hpp"
#include "driver/model_graph.hpp"
#include "driver/pipeline.hpp"
#include "extensions/library/library.hpp"
#include "ir_emitter/emitter.hpp"
#include "phases/back/finish.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/write_file.hpp"
#include "tools/opt/library.hpp"
#include "tools/opt/listing.hpp"
#include "tools/opt/options.hpp"
#include "tools/opt/steps.hpp"
#include "tools/opt/watch.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;

/// What the user names runs, also where it is off by default.
void enable(PassConfig& config, const std::vector<PassStep>& steps) {
  for (const PassStep& step : steps)
    for (const PassUse& use : step.passes) config.enable(use.pass);
}

Expected<void> configure(PassConfig& config, const OptOptions& options) {
  for (const std::string& name : options.enable) config.enable(name);
  for (const std::string& name : options.disable) config.disable(name);
  if (!options.only.empty()) config.only(options.only);
  if (options.leave.empty()) return {};
  const auto expression = std::make_shared<RE2>(options.leave, RE2::Quiet);
  if (!expression->ok())
    return error("MO-OPT-0002", "--leave: {}", expression->error()).hint("give a regular expression in RE2 syntax");
  config.set_callback(
      "", [expression](const Node& node) { return RE2::PartialMatch(std::string(node.name()), *expression); });
  return {};
}

/// Writes the .xml and the .bin, for the target of the IR that was read or the one that the user asks for. Errors:
/// those of CheckTarget, when the target has no words for the graph.
Expected<void> write_ir(const std::string& xml_path, Graph& graph, const Options& given, DiagnosticSink& sink) {
  const Options target = with_target_of_ir(given, graph);
  const Settings settings = settings_of(target);
  PassContext context{sink, settings};
  // Layers have names of their own; transformations leave the nodes that they make without.
  for (const Pass& pass : {phases::check_target(), phases::unique_names()}) MO_TRY(run_pass(pass, graph, context));
  ir_emitter::EmitOptions emission = emit_options(settings, xml_path);
  emission.model_name = fs::path(xml_path).stem().string();
  emission.rt_info = conversion_metadata(graph, target);
  MO_TRY(ir_emitter::emit(graph, emission));
  return {};
}

Expected<void> write_result(const OptOptions& options, Graph& graph, const Options& model_options,
                            DiagnosticSink& sink) {
  if (options.output.empty()) {
    fmt::print("{}", to_text(graph, {.types = true}));
    return {};
  }
  if (!options.output.ends_with(".xml"))
    return write_file(options.output, to_text(graph, {.types = true, .elide_constants = false}));
  return write_ir(options.output, graph, model_options, sink);
}

Expected<void> run_passes(const OptOptions& options, const Options& model_options) {
  ConsoleSink sink;
  const ModelStage stage = options.stage == "inferred" ? ModelStage::inferred : ModelStage::converted;
  MO_ASSIGN(const ModelGraph model, load_model(model_options, {.stage = stage}, sink));
  MO_ASSIGN(const PassLibrary library, library_for(model_options, model.assembly->framework));
  MO_ASSIGN(const std::vector<PassStep> steps, parse_steps(options.passes, library));
  const Settings settings;
  LibraryRun run(library, sink, settings);
  give_channels_first(run, sink);
  enable(run.config, steps);
  MO_TRY(configure(run.config, options));
  run.verify_each = !options.verify.empty();
  MO_ASSIGN(const auto watches, make_watches(options, *model.graph, output_name(model_options)));
  run.after_pass = [&](const PassEvent& event) -> Expected<void> {
    for (const auto& watch : watches) MO_TRY(watch->ran(event));
    return {};
  };
  int started = 0;
  run.may_run = [&](const Pass& pass) {
    const bool allowed = !options.bisect_limit || started < *options.bisect_limit;
    ++started;
    if (options.bisect_limit) fmt::print(stderr, "{}running pass ({}) {}\n", allowed ? "" : "NOT ", started, pass.name);
    return allowed;
  };
  MO_TRY(run.run(steps, *model.graph));
  for (const auto& watch : watches) MO_TRY(watch->finish());
  return write_result(options, *model.graph, model_options, sink);
}

Expected<void> opt(const Invocation& invocation) {
  MO_ASSIGN(const OptOptions options, parse_opt_options(invocation));
  if (options.help) {
    fmt::print("{}", options.help_text);
    return {};
  }
  if (options.print_passes) {
    fmt::print("{}", list_of_passes(library::transformations(), options.json));
    return {};
  }
  if (!options.describe.empty()) {
    MO_ASSIGN(const std::string text, description_of(library::transformations(), options.describe, options.json));
    fmt::print("{}", text);
    return {};
  }
  MO_ASSIGN(const Options model_options, invocation.parse_model_options(options.model_words));
  return run_passes(options, model_options);
}

ExitCode run_opt(const Invocation& invocation) {
  const auto done = opt(invocation);
  if (done) return ExitCode::ok;
  print(done.error());
  return exit_code_of(done.error());
}

}  // namespace

Subcommand subcommand_opt() {
  return {"opt", {"mo_opt"}, "run transformations on a model", [](const Invocation& invocation) {
            return static_cast<int>(run_opt(invocation));
          }};
}

}  // namespace mo::tools
