#include "driver/replacements.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/support/log.hpp"
#include "driver/option_grammar.hpp"
#include "extensions/config/config_ops.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/config/config_update.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "extensions/config/shipped_configs.hpp"
#if !MO_IS_SELECTIVE
#include "transformations/catalogue.hpp"
#endif
#include "extensions/object_detection/config_choice.hpp"
#include "extensions/object_detection/pipeline_config.hpp"
#include "phases/front/exported_shape.hpp"

namespace mo {
namespace {

/// In the place of a file: the one that fits the model.
constexpr std::string_view kAutomatic = "auto";

/// What `part` of a list of transformations is called, for "… is expected".
std::string text_of(PassListPart part, char close) {
  switch (part) {
    case PassListPart::name: return "the name of a transformation";
    case PassListPart::key: return "the name of a setting";
    case PassListPart::equals_sign: return "'='";
    case PassListPart::value:
      return close == ']' ? "a value, without quotation marks but in {'name':'other'}," : "a value or ')'";
    case PassListPart::end_of_quote: return "the end of the text in quotes";
    case PassListPart::close: return fmt::format("'{}'", close);
  }
  return {};
}

/// Pruning is a pipeline of the library: it needs weights that are fused, and not yet compressed or lowered.
Expected<void> add_pruning([[maybe_unused]] PassManager& manager) {
#if !MO_IS_SELECTIVE
  const PassLibrary& library = transformations::catalogue();
  MO_ASSIGN(const Pass* const pruning, library.get("Pruning"));
  Pass pass = as_pass(library, *pruning);
  pass.phase = Phase::middle;
  pass.after = {"MiddleFinish"};
  pass.enabled = false;
  MO_TRY(manager.add(std::move(pass)));
#endif
  return {};
}

}  // namespace

Expected<void> add_smart_reshape([[maybe_unused]] PassManager& manager) {
#if !MO_IS_SELECTIVE
  const PassLibrary& library = transformations::catalogue();
  MO_ASSIGN(const Pass* const smart_reshape, library.get("SmartReshape"));
  Pass pass = as_pass(library, *smart_reshape);
  // Its passes take channels-first images, and fusions before it see the model as it was exported.
  pass.phase = Phase::middle;
  pass.after = {"MiddleFinish"};
  pass.before = {"KeptSizes"};
  pass.condition = [](const Graph& graph, const PassContext&) { return phases::has_changed_sizes(graph); };
  MO_TRY(manager.add(std::move(pass)));
#endif
  return {};
}

Expected<std::vector<PassCall>> parse_transforms(std::string_view text) {
  const auto refuse = [text](const std::string& what, std::size_t at) -> Diagnostic {
    return error("MO-CONFIG-0040", "--transform: {}", what)
        .note("{}", text)
        .note("{}^", std::string(at, ' '))
        .hint("write Name, or Name[key=value;key=value], separated by commas");
  };
  MO_ASSIGN(std::vector<PassCall> calls, parse_pass_list(text, {}, [&](PassListPart part, std::size_t at, char close) {
              return refuse(fmt::format("{} is expected", text_of(part, close)), at);
            }));
  for (std::size_t i = 0; i < calls.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (calls[i].name == calls[j].name)
        return refuse(fmt::format("{} is listed twice", calls[i].name), text.rfind(calls[i].name));
  return calls;
}

Expected<void> enable_transforms(PassManager& manager, const Options& options) {
  MO_ASSIGN(const std::vector<PassCall> requests, parse_transforms(options.transform));
  if (requests.empty()) return {};
  MO_TRY(add_pruning(manager));
  std::vector<std::string> available;
  for (const Phase phase : kPhases) {
    MO_ASSIGN(const std::vector<const Pass*> passes, manager.order(phase));
    for (const Pass* pass : passes)
      if (!pass->enabled) available.push_back(pass->name);
  }
  std::vector<Diagnostic> failed;
  for (const PassCall& request : requests) {
    if (std::find(available.begin(), available.end(), request.name) != available.end()) {
      manager.config.enable(request.name);
      continue;
    }
    failed.push_back(error("MO-CONFIG-0041", "--transform: {}",
                           manager.find(request.name)
                               ? fmt::format("{} is not an additional transformation: it runs anyway", request.name)
                               : fmt::format("there is no transformation {}", request.name))
                         .hint("{}", available.empty() ? std::string("none is available; a plugin may bring some")
                                                       : fmt::format("available: {}", fmt::join(available, ", "))));
  }
  if (!failed.empty()) return Error(std::move(failed));
  return {};
}

Expected<void> add_transform_settings(Settings& settings, const Options& options, const PassManager& manager) {
  MO_ASSIGN(const std::vector<PassCall> requests, parse_transforms(options.transform));
  std::vector<Diagnostic> failed;
  for (const PassCall& request : requests) {
    const Pass* pass = manager.find(request.name);
    if (!pass || request.arguments.empty()) continue;  // a pass that does not exist was refused with the pipeline
    const auto done = [&]() -> Expected<void> {
      if (!pass->configure)
        return error("MO-PASS-0022", "{} has no settings", request.name).hint("leave out what stands in brackets");
      MO_ASSIGN(const AttributeMap given, settings_in(request, *pass));
      return pass->configure(settings, given);
    }();
    if (done) continue;
    for (Diagnostic wrong : done.error().items()) {
      wrong.message = fmt::format("--transform: {}: {}", request.name, wrong.message);
      failed.push_back(std::move(wrong));
    }
  }
  if (!failed.empty()) return Error(std::move(failed));
  return {};
}

Expected<void> add_replacement_descriptors(Settings& settings, const Options& options, const PassManager& manager,
                                           DiagnosticSink& sink) {
  // Whether or not some replacement asks for it: a damaged file must not depend on what the model matches.
  if (const std::string& pipeline = options.tensorflow.object_detection_api_pipeline_config; !pipeline.empty())
    MO_TRY(object_detection::PipelineConfig::read_file(pipeline));
  std::vector<std::string> files = parse_words(options.transformations_config);
  std::erase(files, kAutomatic);
  if (files.empty()) return {};
  MO_ASSIGN(config::ReadDescriptors read, config::read_descriptors(files));
  for (const Diagnostic& warning : read.warnings) sink.report(warning);
  log::debug("configurations: {} descriptors of {}", read.descriptors.size(), fmt::join(files, ", "));
  MO_TRY(config::check_ids(read.descriptors, manager));
  settings.set(config::Replacements{std::move(read.descriptors)});
  return {};
}

Expected<std::string> choose_replacement_descriptors(Settings& settings, const Options& options, Graph& graph) {
  const std::vector<std::string> files = parse_words(options.transformations_config);
  if (std::find(files.begin(), files.end(), kAutomatic) == files.end()) return std::string();
  const std::vector<object_detection::ConfigFit> fits = object_detection::fitting_configs(graph, true);
  if (fits.empty())
    return error("MO-CONFIG-0242", "--transformations_config {}: none of the built-in configurations fits the model",
                 kAutomatic)
        .hint("leave the option out: the model is converted op by op");
  const std::string chosen(fits.front().name);
  MO_ASSIGN(config::ReadDescriptors read, config::read_descriptors({chosen}));
  config::Replacements all = settings.get<config::Replacements>();
  std::move(read.descriptors.begin(), read.descriptors.end(), std::back_inserter(all.descriptors));
  settings.set(std::move(all));
  log::info("configuration: {}", chosen);  // also for conversions that fail
  return fmt::format("The configuration {} is used.\n", chosen);
}

Expected<std::string> text_of_config(const std::string& name) {
  if (const config::ShippedConfig* shipped = config::find_shipped_config(name)) return std::string(shipped->text);
  return config::unknown_config("MO-CONFIG-0243", name);
}

Expected<std::string> update_replacement_config(const Options& options, const PassManager& manager, Graph& graph,
                                                PassContext& context) {
  const Pass* extraction = manager.find("Extraction");
  MO_ASSERT(extraction != nullptr, "every pipeline has the pass Extraction");
  MO_TRY(run_pass(*extraction, graph, context));
  const std::string& file = options.tensorflow.custom_operations_config_update;
  MO_TRY(config::update_config_file(file, graph, context.diagnostics));
  return fmt::format("The configuration {} was updated. No IR was written.\n", file);
}

}  // namespace mo
