#include <fmt/format.h>
#include <re2/re2.h>

#include <cstdio>
#include <filesystem>

#include "core/diagnostics/exit_code.hpp"
#include "core/inference/infer.hpp"
#include "core/text/printer.hpp"
#include "driver/assembly.hpp"
#include "driver/builtins.hpp"
#include "driver/emission.hpp"
#include "driver/given_model.hpp"
#include "driver/model_graph.hpp"
#include "driver/onnx_output.hpp"
#include "driver/pipeline.hpp"
#include "ir_emitter/emitter.hpp"
#include "phases/back/finish.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/write_file.hpp"
#include "tools/opt/conversion.hpp"
#include "tools/opt/library.hpp"
#include "tools/opt/listing.hpp"
#include "tools/opt/options.hpp"
#include "tools/opt/reproducer.hpp"
#include "tools/opt/steps.hpp"
#include "tools/opt/watch.hpp"
#include "transformations/catalogue.hpp"

namespace mo::tools {
namespace {

namespace fs = std::filesystem;

/// What the user names runs, also where it is off by default.
void enable(PassConfig& config, const std::vector<ListedStep>& steps) {
  for (const ListedStep& listed : steps)
    for (const PassUse& use : listed.step.passes) config.enable(use.pass);
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
Expected<void> write_ir(const std::string& xml_path, Graph& graph, bool as_read, const Options& given,
                        DiagnosticSink& sink) {
  const Options target = with_target_of_ir(given, graph);
  const Settings settings = settings_of(target);
  PassContext context{sink, settings};
  // Layers have names of their own; transformations leave the nodes that they make without.
  for (const Pass& pass : {phases::check_target(), phases::unique_names()}) MO_TRY(run_pass(pass, graph, context));
  ir_emitter::EmitOptions emission = emit_options(settings, xml_path);
  emission.as_read = as_read;
  emission.model_name = fs::path(xml_path).stem().string();
  emission.rt_info = conversion_metadata(graph, target);
  MO_TRY(ir_emitter::emit(graph, emission));
  return {};
}

/// A graph on its way through a conversion is written with all that the rest of it needs.
Expected<void> write_result(const OptOptions& options, ModelGraph& model, const Options& model_options, bool converts,
                            const InputFiles& inputs, DiagnosticSink& sink) {
  Graph& graph = *model.graph;
  if (options.output.empty()) {
    fmt::print("{}", to_text(graph, {.types = true}));
    return {};
  }
  if (options.output.ends_with(".onnx")) {
    MO_ASSIGN([[maybe_unused]] const Report report,
              write_onnx_file(options.output, model_options, graph, onnx_forms_of(model), inputs, sink));
    return {};
  }
  if (!options.output.ends_with(".xml"))
    return write_file(options.output, to_text(graph, {.types = true, .elide_constants = false, .complete = converts}));
  return write_ir(options.output, graph, model.source == ModelSource::ir, model_options, sink);
}

/// The catalogue for a model: the library, and of a framework's model the conversion.
Expected<PassLibrary> catalogue_for(const ModelGraph& model, const Options& model_options) {
  MO_ASSIGN(PassLibrary library, library_for(model_options, model.assembly->framework));
  if (model.manager) MO_TRY(add_conversion(library, *model.manager));
  return library;
}

/// What `--describe` prints: of the library, and of the conversion of a model with these options.
Expected<std::string> describe(const OptOptions& options, const Options& model_options) {
  PassLibrary library = transformations::catalogue();
  Options adopted = model_options;
  adopt_model(adopted, kind_of_input_model(adopted));
  const std::string framework = adopted.framework.empty() ? std::string(usual_framework()) : adopted.framework;
  MO_ASSIGN(const std::unique_ptr<Assembly> assembly,
            model_path(adopted).empty() ? assemble_for(adopted, framework) : assemble_for_model(adopted));
  MO_ASSIGN(const std::unique_ptr<PassManager> manager,
            make_pipeline(assembly->registry, assembly->framework, adopted));
  MO_TRY(add_conversion(library, *manager));
  return description_of(library, options.describe, options.json);
}

using Watches = std::vector<std::unique_ptr<Watch>>;

/// Lets a runner do what the options ask for; `started` counts the passes of all runners.
Expected<void> prepare(PassRunner& run, const OptOptions& options, const std::vector<ListedStep>& steps,
                       const Watches& watches, int& started) {
  enable(run.config, steps);
  MO_TRY(configure(run.config, options));
  run.verify_each = !options.verify.empty();
  run.after_pass = [&watches, before = std::move(run.after_pass)](const PassEvent& event) -> Expected<void> {
    if (before) MO_TRY(before(event));
    for (const auto& watch : watches) MO_TRY(watch->ran(event));
    return {};
  };
  run.may_run = [&](const Pass& pass) {
    const bool allowed = !options.bisect_limit || started < *options.bisect_limit;
    ++started;
    if (options.bisect_limit) fmt::print(stderr, "{}running pass ({}) {}\n", allowed ? "" : "NOT ", started, pass.name);
    return allowed;
  };
  return {};
}

/// Which of the transformations that were asked for do nothing, because the target's releases do not have the fault
/// that they avoid.
void warn_of_other_targets(std::span<const ListedStep> steps, const PassLibrary& library, const Settings& settings,
                           DiagnosticSink& sink) {
  for (const ListedStep& listed : steps)
    for (const PassUse& use : listed.step.passes)
      if (const Pass* pass = library.find(use.pass);
          pass && pass->fault && is_older(pass->fault->last, settings.release))
        sink.report(warning("MO-OPT-0005", "{} does nothing for this target: {} to {} have the fault that it avoids",
                            pass->name, pass->fault->first, pass->fault->last)
                        .hint("add --target_runtime={}", pass->fault->last));
}

/// Runs the steps one after the other.
Expected<void> run_steps(std::span<const ListedStep> steps, Graph& graph, LibraryRun& run, Reproducer& reproducer) {
  for (const ListedStep& listed : steps) {
    reproducer.begin(graph);
    MO_TRY(run.run(std::span(&listed.step, 1), graph));
  }
  return {};
}

Expected<void> run_passes(const OptOptions& options, const Options& model_options) {
  ConsoleSink sink;
  InputFiles inputs;
  const InputFiles::Recording recording(inputs);
  MO_ASSIGN(ModelGraph model,
            load_model(model_options,
                       {.stage = ModelStage::read, .carries_unknown_ops = true, .looks_at_registry = true}, sink));
  MO_ASSIGN(const PassLibrary library, catalogue_for(model, model_options));
  MO_ASSIGN(std::vector<ListedStep> steps, parse_steps(options.passes, library));
  const bool converts =
      model.manager && (model.source == ModelSource::text || want_model_as_read(steps, *model.manager));
  if (!converts)
    MO_TRY(advance(model, options.stage == "inferred" ? ModelStage::inferred : ModelStage::converted, sink));
  const Settings settings = settings_of(with_target_of_ir(model_options, *model.graph));
  if (!converts) warn_of_other_targets(steps, library, settings, sink);
  LibraryRun run(library, sink, settings);
  give_channels_first(run, sink);
  MO_ASSIGN(const Watches watches, make_watches(options, *model.graph, output_name(model_options)));
  int started = 0;
  MO_TRY(prepare(run, options, steps, watches, started));
  if (converts) {
    MO_TRY(prepare(*model.manager, options, steps, watches, started));
    MO_ASSIGN(steps, with_passes_of_convert(steps, *model.manager));
  }
  Reproducer reproducer(options.reproducer, model_options, steps);
  auto done =
      converts ? run_conversion(steps, model, run, reproducer, sink) : run_steps(steps, *model.graph, run, reproducer);
  if (!done) return reproducer.fail(std::move(done).error());
  for (const auto& watch : watches) MO_TRY(watch->finish());
  return write_result(options, model, model_options, converts, inputs, sink);
}

/// The options of a command line that names a reproducer and no passes are those that it was written with, too.
Expected<Options> model_options_of(const Invocation& invocation, OptOptions& options) {
  MO_ASSIGN(Options given, invocation.parse_model_options(options.model_words));
  if (!options.passes.empty()) return given;
  const std::optional<Replay> replay = replay_of(given.input_model);
  if (!replay) return given;
  options.passes = replay->passes;
  std::vector<std::string> words = options.model_words;
  words.insert(words.end(), replay->options.begin(), replay->options.end());
  return invocation.parse_model_options(words);
}

Expected<void> opt(const Invocation& invocation) {
  MO_ASSIGN(OptOptions options, parse_opt_options(invocation));
  if (options.help) {
    fmt::print("{}", options.help_text);
    return {};
  }
  if (options.print_passes) {
    fmt::print("{}", list_of_passes(transformations::catalogue(), options.json));
    return {};
  }
  Options model_options;
  if (options.describe.empty() || !options.model_words.empty()) {
    MO_ASSIGN(model_options, model_options_of(invocation, options));
  }
  if (!options.describe.empty()) {
    MO_ASSIGN(const std::string text, describe(options, model_options));
    fmt::print("{}", text);
    return {};
  }
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
  return {.name = "opt",
          .links = {"mo_opt"},
          .summary = "run transformations on a model, or print it",
          .run = [](const Invocation& invocation) { return static_cast<int>(run_opt(invocation)); },
          .also_tried = {"print", "layers", "list", "dump", "optimize", "optimise", "simplify", "passes"}};
}

}  // namespace mo::tools
