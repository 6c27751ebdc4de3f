#include <fmt/format.h>

#include <filesystem>

#include "core/pass/subgraph_replacement.hpp"
#include "core/registry/pass_registry.hpp"
#include "extensions/config/config_replacement.hpp"
#include "extensions/object_detection/config_choice.hpp"
#include "extensions/object_detection/pipeline_config.hpp"

namespace mo::object_detection {
namespace {

/// The options that choose a configuration for the model; `needs_pipeline` when its replacers read the pipeline's.
std::string options_for(const ConfigFit& fit, const std::string& model) {
  if (fit.name.find("_support") == std::string_view::npos) return "--transformations_config auto";
  const std::filesystem::path beside = std::filesystem::path(model).parent_path() / "pipeline.config";
  std::error_code ignored;
  const bool is_there = !model.empty() && std::filesystem::is_regular_file(beside, ignored);
  return fmt::format("--transformations_config auto --tensorflow_object_detection_api_pipeline_config {}",
                     is_there ? beside.string() : std::string("PATH/pipeline.config"));
}

std::string hint_for(const ConfigFit& fit, const std::string& model) {
  if (!fit.problem.empty())
    return fmt::format(
        "mo --print-config {} > FILE.json; correct it there ({}), and add --transformations_config FILE.json", fit.name,
        fit.problem);
  return model.empty() ? fmt::format("add {}", options_for(fit, model))
                       : fmt::format("mo --input_model {} {}", model, options_for(fit, model));
}

/// A detector that a shipped configuration is made for, converted without any:
/// says which one. The model converts anyway, op by op.
void advise(Graph& graph, PassContext& context) {
  const std::vector<ConfigFit> fits = fitting_configs(graph, false);
  if (fits.empty()) return;
  context.diagnostics.report(
      warning("MO-CONFIG-0240",
              "{} is the configuration for this detector; without it the post-processing is converted op by op",
              fits.front().name)
          .hint("{}", hint_for(fits.front(), context.settings.input_model)));
}

/// Configurations that name places which the model lacks would be ignored, wholly or in part.
Expected<bool> check_detector_configs(Graph& graph, PassContext& context) {
  const config::Replacements* given = context.settings.find<config::Replacements>();
  if (!given) {
    if (may_be_detector(graph)) advise(graph, context);
    return false;
  }
  std::vector<std::string> missing = missing_places(given->descriptors, graph, context.settings.outputs.empty());
  if (missing.empty()) return false;
  const std::vector<ConfigFit> fits = may_be_detector(graph) ? fitting_configs(graph, false) : std::vector<ConfigFit>();
  Diagnostic misfit = error("MO-CONFIG-0241", "the configuration does not fit this model{}",
                            fits.empty() ? std::string() : fmt::format(", {} does", fits.front().name));
  misfit.notes = std::move(missing);
  const std::string& file = given->descriptors.front().location;
  return std::move(misfit)
      .hint("{}",
            fits.empty()
                ? std::string(
                      "none of the built-in configurations does: leave it out, and the model is converted op by op")
                : hint_for(fits.front(), context.settings.input_model))
      .in_file(file.substr(0, file.find(':')));
}

}  // namespace

void register_detection_model_advice(PassRegistry& registry) {
  registry.add(graph_pass("DetectionModelAdvice")
                   .phase(Phase::extraction)
                   .run_after({"Extraction"})
                   .run_before({"OutputCut", std::string(kConfigReplacementStart)})
                   .only_top_level()
                   .run(check_detector_configs));
}

}  // namespace mo::object_detection
