#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "core/pass/subgraph_replacement.hpp"
#include "core/registry/pass_registry.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "extensions/config/name_pattern.hpp"
#include "extensions/config/shipped_configs.hpp"
#include "extensions/object_detection/pipeline_config.hpp"

namespace mo::object_detection {
namespace {

using Names = std::unordered_set<std::string_view>;

/// How well a configuration fits: points that are there under their first name,
/// and whether others make do.
struct Fit {
  std::string_view config;
  std::size_t exact = 0;
  std::size_t missing_scopes = 0;
  bool has_alternatives = false;
};

bool has_any(const Names& names, std::string_view point) {
  while (true) {
    const std::size_t bar = point.find('|');
    if (names.contains(point.substr(0, bar))) return true;
    if (bar == std::string_view::npos) return false;
    point.remove_prefix(bar + 1);
  }
}

/// Scopes without nodes. Those of R-FCN tell it from another family with the
/// same first stage; a model whose preprocessing was cut off lacks one as well.
/// The configurations of one family share their scopes, and every name is
/// looked at for a scope: each is looked for once.
class Scopes {
 public:
  explicit Scopes(const Names& names) : names_(names) {}

  std::size_t missing(const std::vector<std::string>& scopes) {
    return static_cast<std::size_t>(std::count_if(scopes.begin(), scopes.end(), [&](const std::string& scope) { return is_missing(scope); }));
  }

 private:
  bool is_missing(const std::string& scope) {
    const auto [place, is_first] = known_.try_emplace(scope, true);
    if (!is_first) return place->second;
    if (const auto pattern = config::NamePattern::compile(scope))
      place->second = std::none_of(names_.begin(), names_.end(), [&](std::string_view name) { return pattern->matches(name); });
    return place->second;
  }
  const Names& names_;
  std::map<std::string, bool> known_;
};

/// All points of all descriptors are in the graph; nothing otherwise, and for a
/// configuration without points.
std::optional<Fit> fit_of(const config::ShippedConfig& shipped, const Names& names, Scopes& scopes) {
  const auto document = config::parse_json(shipped.text, shipped.name);
  if (!document) return std::nullopt;
  const auto read = config::read_descriptors(*document, std::string(shipped.name));
  if (!read) return std::nullopt;
  Fit fit{shipped.name};
  for (const config::Descriptor& descriptor : read->descriptors) {
    std::vector<std::string> points = descriptor.start_points;
    points.insert(points.end(), descriptor.end_points.begin(), descriptor.end_points.end());
    if (const AttributeValue* entries = descriptor.custom().find("entry_points"))
      if (const auto* list = entries->get_if<std::vector<std::string>>()) points.insert(points.end(), list->begin(), list->end());
    for (const std::string& point : points) {
      if (!has_any(names, point)) return std::nullopt;
      fit.exact += names.contains(point) ? 1 : 0;
      fit.has_alternatives = fit.has_alternatives || !names.contains(point);
    }
  }
  for (const config::Descriptor& descriptor : read->descriptors) {
    const std::size_t missing = scopes.missing(descriptor.scopes);
    fit.missing_scopes += missing;
    fit.exact += descriptor.scopes.size() - missing;
  }
  if (fit.exact == 0) return std::nullopt;
  return fit;
}

/// Names that some shipped configuration has a point of; whatever model lacks
/// all of them is not asked further.
template <class HasName>
bool may_be_detector(HasName has_name) {
  constexpr std::string_view kSigns[] = {"detection_boxes",
                                         "StatefulPartitionedCall/Postprocessor/scale_logits",
                                         "GridAnchorGenerator/Identity",
                                         "StatefulPartitionedCall/GridAnchorGenerator/Identity",
                                         "detector/yolo-v3/Reshape",
                                         "detector/yolo-v3-tiny/Reshape",
                                         "clipped_boxes/Shape",
                                         "SSD/concat_reshape_softmax/mbox_loc_final"};
  return std::any_of(std::begin(kSigns), std::end(kSigns), has_name);
}

/// A detector that a shipped configuration is made for, converted without any:
/// says which one. The model converts anyway, op by op.
Expected<bool> advise(Graph& graph, PassContext& context) {
  if (context.settings.find<config::Replacements>()) return false;
  if (!may_be_detector([&](std::string_view sign) { return graph.names().find(sign).valid(); })) return false;  // most models end here
  Names names;
  for (const Node node : graph.nodes())
    if (!node.is<Result>() && !node.name().empty()) names.insert(node.name());
  if (!may_be_detector([&](std::string_view sign) { return names.contains(sign); })) return false;
  std::vector<Fit> fits;
  Scopes scopes(names);
  for (const config::ShippedConfig& shipped : config::shipped_configs())
    if (const auto fit = fit_of(shipped, names, scopes)) fits.push_back(*fit);
  if (fits.empty()) return false;
  // Configurations for a certain version before those for several, those with
  // more points before others, newer before older ones.
  std::sort(fits.begin(), fits.end(), [](const Fit& a, const Fit& b) {
    return std::tuple(a.missing_scopes, a.has_alternatives, b.exact, b.config) < std::tuple(b.missing_scopes, b.has_alternatives, a.exact, a.config);
  });
  std::erase_if(fits, [least = fits.front().missing_scopes](const Fit& fit) { return fit.missing_scopes > least; });
  std::vector<std::string_view> others;
  for (std::size_t i = 1; i < fits.size(); ++i) others.push_back(fits[i].config);
  const std::string& model = context.settings.input_model;
  const bool has_pipeline = names.contains("detection_boxes") || fits.front().config.find("support") != std::string_view::npos;
  Diagnostic advice = warning("MO-CONFIG-0240",
                              "this is a detector that {} is made for{}; without it the "
                              "post-processing is converted op by op",
                              fits.front().config, others.empty() ? "" : fmt::format(" (or {})", fmt::join(others, ", ")));
  context.diagnostics.report(std::move(advice).hint("mo --input_model {} --transformations_config {}{}", model.empty() ? "MODEL" : model,
                                                    fits.front().config,
                                                    has_pipeline ? " --tensorflow_object_detection_api_pipeline_config "
                                                                   "PATH/pipeline.config"
                                                                 : ""));
  return false;
}

}  // namespace

void register_detection_model_advice(PassRegistry& registry) {
  registry.add(graph_pass("DetectionModelAdvice")
                   .phase(Phase::extraction)
                   .run_after({"Extraction"})
                   .run_before({std::string(kConfigReplacementStart)})
                   .only_top_level()
                   .run(advise));
}

}  // namespace mo::object_detection
