#include "extensions/object_detection/config_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

#include "core/graph/bodies.hpp"
#include "core/support/nearest.hpp"
#include "extensions/config/descriptor_reader.hpp"
#include "extensions/config/matching.hpp"
#include "extensions/config/name_pattern.hpp"
#include "extensions/config/shipped_configs.hpp"
#include "extensions/object_detection/roi_pyramid.hpp"
#include "extensions/object_detection/structure.hpp"
#include "extensions/object_detection/yolo_heads.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::object_detection {
namespace {

using config::Descriptor;
using Names = std::unordered_set<std::string_view>;

constexpr std::string_view kPreprocessor = "ObjectDetectionAPIPreprocessorReplacement";
constexpr std::string_view kSsd = "ObjectDetectionAPISSDPostprocessorReplacement";
constexpr std::string_view kProposal = "ObjectDetectionAPIProposalReplacement";
constexpr std::string_view kSecondStage = "ObjectDetectionAPIDetectionOutputReplacement";

Names names_of(Graph& graph) {
  Names names;
  for (const Graph* one : with_bodies(graph))
    for (const Node node : one->nodes())
      if (!node.is<Result>() && !node.name().empty()) names.insert(node.name());
  return names;
}

/// The first name of "a|b|c" that is there; the whole of it may be one, too. Empty when none is.
std::string_view found_name(const Names& names, std::string_view point) {
  if (names.contains(point)) return point;
  while (true) {
    const std::size_t bar = point.find('|');
    if (names.contains(point.substr(0, bar))) return point.substr(0, bar);
    if (bar == std::string_view::npos) return {};
    point.remove_prefix(bar + 1);
  }
}

bool has_scope(const Names& names, const std::string& scope) {
  const auto pattern = config::NamePattern::compile(scope);
  return pattern &&
         std::any_of(names.begin(), names.end(), [&](std::string_view name) { return pattern->matches(name); });
}

std::vector<std::string> texts(const AttributeMap& custom, std::string_view key) {
  const AttributeValue* value = custom.find(key);
  if (const auto* text = value ? value->get_if<std::string>() : nullptr) return {*text};
  auto list = value ? AttributeCodec<std::vector<std::string>>::decode(*value)
                    : Expected<std::vector<std::string>>(std::vector<std::string>());
  return list ? *std::move(list) : std::vector<std::string>();
}

/// Names of nodes among the custom attributes of kind general; what a replacer looks for by itself.
struct NamedPlaces {
  std::string_view id;
  std::vector<std::string_view> keys;
  std::vector<std::string_view> names;
};
const std::vector<NamedPlaces>& named_places() {
  static const std::vector<NamedPlaces> all = {
      {"TFYOLOV3", {"entry_points"}, {}},
      {"AutomlEfficientDet",
       {"preprocessing_input_node", "preprocessing_output_node"},
       {"concat", "concat_1", "box_net/box-predict/BiasAdd"}},
      {"ONNXMaskRCNNReplacement",
       {"input_fpn_heads", "ROIFeatureExtractor2_input", "ROIFeatureExtractor2_output", "box_regressions_input_node",
        "class_predicitons_node", "do_outputs", "ROIFeatureExtractor1_output"},
       {}},
      {"ONNXPersonDetectionCrossroadReplacement",
       {"fpn_heads", "ROI_feature_extractor_inputs", "ROI_feature_extractor_outputs"},
       {}}};
  return all;
}

/// Names that must all be there.
std::vector<std::string> points_of(const Descriptor& descriptor, bool with_outputs) {
  std::vector<std::string> points = descriptor.start_points;
  points.insert(points.end(), descriptor.end_points.begin(), descriptor.end_points.end());
  for (const NamedPlaces& places : named_places()) {
    if (places.id != descriptor.replacement_id) continue;
    for (const std::string_view key : places.keys)
      for (std::string& name : texts(descriptor.custom(), key)) points.push_back(std::move(name));
    points.insert(points.end(), places.names.begin(), places.names.end());
  }
  if (descriptor.replacement_id == "ObjectDetectionAPIOutputReplacement" && with_outputs)
    if (const AttributeValue* value = descriptor.custom().find("outputs"))
      if (const auto* all = value->get_if<std::string>())
        for (std::size_t from = 0; from <= all->size();) {
          const std::size_t to = std::min(all->find(',', from), all->size());
          points.push_back(all->substr(from, to - from));
          from = to + 1;
        }
  return points;
}

bool is_for_detectors(const Descriptor& descriptor) {
  const std::string_view id = descriptor.replacement_id;
  const bool by_names = std::any_of(named_places().begin(), named_places().end(),
                                    [&](const NamedPlaces& places) { return places.id == id; });
  return descriptor.op.empty() && (by_names || id.starts_with("ObjectDetectionAPI") ||
                                   id == "RetinaNetFilteredDetectionsReplacement" || id == "SSDToolboxDetectionOutput");
}

/// Lists of which one name is enough: the same place in different versions.
constexpr std::string_view kAlternatives[] = {"start_nodes", "end_nodes"};

std::vector<std::string> missing_of(const Descriptor& descriptor, const Names& names, bool with_outputs) {
  std::vector<std::string> missing;
  for (const std::string& point : points_of(descriptor, with_outputs))
    if (found_name(names, point).empty()) missing.push_back(point);
  for (const std::string_view key : kAlternatives) {
    const std::vector<std::string> nodes = texts(descriptor.custom(), key);
    if (!nodes.empty() &&
        std::none_of(nodes.begin(), nodes.end(), [&](const std::string& node) { return names.contains(node); }))
      missing.push_back(nodes.front());
  }
  // A model whose preprocessing was cut off has no scope of it, and needs none.
  if (descriptor.replacement_id != kPreprocessor)
    for (const std::string& scope : descriptor.scopes)
      if (!has_scope(names, scope)) missing.push_back(scope);
  return missing;
}

/// The name with a higher number after its first `part`: "map_1/…" -> "map_2/…". Empty when the part is not in it.
std::string next_of(std::string_view name, std::string_view part) {
  const std::size_t at = name.rfind(part, part == "map" ? name.find("TensorArrayStack") : std::string_view::npos);
  if (at == std::string_view::npos) return {};
  const std::size_t end = std::min(name.find('/', at), name.size());
  const std::string_view tail = name.substr(at + part.size(), end - at - part.size());
  int number = 0;
  if (!tail.empty()) std::from_chars(tail.data() + 1, tail.data() + tail.size(), number);
  return fmt::format("{}{}_{}{}", name.substr(0, at), part, number + 1, name.substr(end));
}

/// How much of the structure speaks for a configuration, and against it.
class Structure {
 public:
  Structure(Graph& graph, const Names& names) : graph_(graph), names_(names) {}

  int of(const Descriptor& descriptor) const {
    if (descriptor.replacement_id == kSsd) return of_match(descriptor) + readers_of_preprocessing(descriptor);
    if (descriptor.replacement_id == kSecondStage) return of_match(descriptor);
    if (descriptor.replacement_id == kProposal) return of_first_stage(descriptor);
    return 0;
  }

 private:
  /// Scores that enter as the predictor makes them, the background among them; their conversion is part of what is
  /// replaced; boxes are clipped when the configuration says so.
  int of_match(const Descriptor& descriptor) const {
    constexpr int kBroken = -8;
    Descriptor probe = descriptor;
    const auto found = config::find_matches(probe, graph_);
    if (!found || found->matches.empty()) return kBroken;
    const SubgraphMatch& match = found->matches.front();
    const ScoreConversion scores = score_conversion(match, 1);
    int points = (scores.before == "IDENTITY" ? 2 : 0) + (scores.lacks_background ? 0 : 1);
    if (const auto before = clips_before_suppression(match))
      points += *before == match.custom_attribute("clip_before_nms", false) &&
                        *before != match.custom_attribute("clip_after_nms", false)
                    ? 1
                    : 0;
    return points;
  }

  /// The true sizes of images come out of the preprocessing: what reads them is a start point.
  int readers_of_preprocessing(const Descriptor& descriptor) const {
    int readers = 0;
    for (const std::string& point : descriptor.start_points)
      if (const Node node = graph_.find_node(found_name(names_, point)))
        if (const Value source = node.input(0);
            source && source.node().name().find("Preprocessor/") != std::string_view::npos)
          ++readers;
    return readers;
  }

  /// End points after the first one are the last loop of several, and the last tensor of its suppression.
  int of_first_stage(const Descriptor& descriptor) const {
    int points = 0;
    for (std::size_t i = 1; i < descriptor.end_points.size(); ++i)
      for (const std::string_view part : {"map", "TensorArrayStack"})
        if (names_.contains(next_of(descriptor.end_points[i], part))) --points;
    return points;
  }

  Graph& graph_;
  const Names& names_;
};

/// "…_v1.15.json" -> 1, 15.
std::pair<int, int> version_of(std::string_view config) {
  const std::size_t at = config.rfind("_v");
  if (at == std::string_view::npos) return {};
  std::pair<int, int> version;
  const char* end = config.data() + config.size();
  const auto [dot, wrong] = std::from_chars(config.data() + at + 2, end, version.first);
  if (wrong == std::errc() && dot != end) std::from_chars(dot + 1, end, version.second);
  return version;
}

struct Fit {
  ConfigFit config;
  int structure = 0;
  bool is_of_family = true;  ///< of several families with the same post-processing
  bool has_preprocessor = true;
  bool has_alternatives = false;  ///< some place is there under another than its first name
  std::size_t exact = 0;          ///< places that are there
};

bool is_better(const Fit& a, const Fit& b) {
  const auto rank = [](const Fit& fit) {
    return std::tuple(!fit.config.problem.empty(), !fit.has_preprocessor, -fit.structure, !fit.is_of_family,
                      fit.has_alternatives);
  };
  // Those with more places before others, newer before older ones.
  return std::tuple(rank(a), b.exact, version_of(b.config.name), a.config.name) <
         std::tuple(rank(b), a.exact, version_of(a.config.name), b.config.name);
}

std::string first_problem(const Expected<std::vector<YoloHead>>& heads) {
  if (!heads) return heads.error().first().message;
  for (const YoloHead& head : *heads)
    if (const auto fits = check_head(head); !fits) return fits.error().first().message;
  return {};
}

/// Darknet's networks, whose convolutions end in a leaky ReLU, with one output that has the channels of the
/// configuration. The full networks of version 2 lay an earlier feature map beside a later one in blocks; the tiny ones
/// do not.
bool fits_by_head(const Descriptor& descriptor, std::string_view config, const Graph& graph) {
  const auto heads = output_heads(graph, descriptor.custom());
  if (!heads || heads->size() != 1) return false;
  const auto channels = channels_of(heads->front().tensor);
  if (!channels || framework_op_name(channels->node) == "MatMul" || !check_head(heads->front())) return false;
  bool leaky = false;
  bool blocks = false;
  for (const Node node : graph.nodes()) {
    const std::string_view op = framework_op_name(node);
    blocks = blocks || op == "ExtractImagePatches" || op == "SpaceToDepth";
    leaky = leaky || op == "LeakyRelu" ||
            (op == "Maximum" && node.in_port_count() == 2 && node.input(0) && node.input(1) &&
             (arithmetic_of(node.input(0).node()) == Arithmetic::multiply ||
              arithmetic_of(node.input(1).node()) == Arithmetic::multiply));
    if (op == "MatMul") return false;
  }
  const bool is_full_2 = config.find("v2") != std::string_view::npos && config.find("tiny") == std::string_view::npos;
  return leaky && blocks == is_full_2;
}

/// Exporters to ONNX number tensors: any large model has the names of a configuration, but not the RoiAligns between
/// them.
bool has_regions(const Descriptor& descriptor, const Graph& graph) {
  const AttributeMap& custom = descriptor.custom();
  const auto all_read = [&](std::string_view levels, std::string_view regions, std::string_view features) {
    const std::vector<std::string> from = texts(custom, regions);
    const std::vector<std::string> to = texts(custom, features);
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
      if (!read_roi_pyramid(graph, from[i], to[i], texts(custom, levels))) return false;
    return true;
  };
  if (descriptor.replacement_id == "ONNXMaskRCNNReplacement")
    return all_read("input_fpn_heads", "ROIFeatureExtractor2_input", "ROIFeatureExtractor2_output");
  if (descriptor.replacement_id == "ONNXPersonDetectionCrossroadReplacement")
    return all_read("fpn_heads", "ROI_feature_extractor_inputs", "ROI_feature_extractor_outputs");
  return true;
}

std::optional<Fit> fit_of(const config::ShippedConfig& shipped, Graph& graph, const Names& names, bool by_heads) {
  const auto document = config::parse_json(shipped.text, shipped.name);
  if (!document) return std::nullopt;
  const auto read = config::read_descriptors(*document, std::string(shipped.name));
  if (!read) return std::nullopt;
  Fit fit{.config = {shipped.name, {}}};
  for (const Descriptor& descriptor : read->descriptors) {
    if (!missing_of(descriptor, names, true).empty() || !has_regions(descriptor, graph)) return std::nullopt;
    for (const std::string& point : points_of(descriptor, false)) {
      fit.exact += names.contains(point) ? 1 : 0;
      fit.has_alternatives = fit.has_alternatives || !names.contains(point);
    }
    for (const std::string& scope : descriptor.scopes) {
      fit.exact += has_scope(names, scope) ? 1 : 0;
      fit.has_preprocessor = fit.has_preprocessor && has_scope(names, scope);
    }
    if (descriptor.replacement_id == "TFYOLOV3")
      fit.config.problem = first_problem(entry_heads(graph, descriptor.custom()));
    if (descriptor.replacement_id == "TFYOLO" && by_heads)
      fit.exact += fits_by_head(descriptor, shipped.name, graph) ? 1 : 0;
  }
  if (fit.exact == 0) return std::nullopt;
  const Structure structure(graph, names);
  for (const Descriptor& descriptor : read->descriptors) fit.structure += structure.of(descriptor);
  const auto is_efficient_net = [](std::string_view name) {
    return name.find("bifpn") != name.npos || name.find("EfficientDet") != name.npos;
  };
  const bool efficient = std::any_of(names.begin(), names.end(), is_efficient_net);
  fit.is_of_family = shipped.name.starts_with("efficient_det") == efficient;
  return fit;
}

}  // namespace

bool may_be_detector(Graph& graph) {
  constexpr std::string_view kSigns[] = {"detection_boxes",
                                         "StatefulPartitionedCall/Postprocessor/scale_logits",
                                         "GridAnchorGenerator/Identity",
                                         "StatefulPartitionedCall/GridAnchorGenerator/Identity",
                                         "detector/yolo-v3/Reshape",
                                         "detector/yolo-v3-tiny/Reshape",
                                         "clipped_boxes/Shape",
                                         "SSD/concat_reshape_softmax/mbox_loc_final",
                                         "box_net/box-predict/BiasAdd"};
  // Two-stage detectors of ONNX have numbers for names.
  return graph.has_op("onnx::RoiAlign") ||
         std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return graph.names().find(sign).valid(); });
}

std::vector<ConfigFit> fitting_configs(Graph& graph, bool by_heads) {
  const Names names = names_of(graph);
  std::vector<Fit> fits;
  for (const config::ShippedConfig& shipped : config::shipped_configs())
    if (auto fit = fit_of(shipped, graph, names, by_heads)) fits.push_back(*std::move(fit));
  std::sort(fits.begin(), fits.end(), is_better);
  std::vector<ConfigFit> configs;
  for (Fit& fit : fits) configs.push_back(std::move(fit.config));
  return configs;
}

std::vector<std::string> missing_places(const std::vector<Descriptor>& descriptors, Graph& graph, bool with_outputs) {
  if (std::none_of(descriptors.begin(), descriptors.end(), is_for_detectors)) return {};
  const Names names = names_of(graph);
  std::vector<std::string> known;
  std::vector<std::string> missing;
  for (const Descriptor& descriptor : descriptors) {
    if (!is_for_detectors(descriptor)) continue;
    for (const std::string& place : missing_of(descriptor, names, with_outputs)) {
      if (known.empty()) known.assign(names.begin(), names.end());
      std::sort(known.begin(), known.end());
      const std::string near = nearest(place, known, place.size() / 2);
      missing.push_back(fmt::format("{}: '{}' is not there{}", descriptor.replacement_id, place,
                                    near.empty() ? "" : fmt::format(" (nearest: '{}')", near)));
    }
  }
  return missing;
}

}  // namespace mo::object_detection
