#include <fmt/format.h>

#include <algorithm>

#include "extensions/object_detection/building.hpp"
#include "extensions/object_detection/scores.hpp"
#include "extensions/object_detection/ssd_anchors.hpp"
#include "ops/concat.hpp"

namespace mo::object_detection {
namespace {

/// The tensor of box encodings of feature map `i`, [N, H, W, 4 * A]; empty when
/// the model does not have the usual names.
Value box_head(const Graph& graph, std::size_t i) {
  for (const std::string& name : {fmt::format("BoxPredictor_{}/BoxEncodingPredictor/BiasAdd", i),
                                  i == 0 ? std::string("WeightSharedConvolutionalBoxPredictor/BoxPredictor/BiasAdd")
                                         : fmt::format("WeightSharedConvolutionalBoxPredictor_{}/"
                                                       "BoxPredictor/BiasAdd",
                                                       i)})
    if (const Node node = graph.find_node(name); node && node.out_port_count() > 0) return node.output();
  return {};
}

/// Grid anchors of feature maps whose size does not divide the image lie
/// elsewhere than PriorBoxClustered puts them.
bool divides(std::int64_t size, std::int64_t level) {
  return level >= 0 && level < 31 && size % (std::int64_t{1} << level) == 0;
}

/// A PriorBoxClustered for each feature map, so that the IR can be reshaped. An
/// empty value when the model's own anchors must do.
Expected<Value> priors_of_heads(const SubgraphMatch& match, const PipelineConfig& pipeline,
                                const std::vector<double>& variances, Rewriter& rw) {
  if (match.custom_attribute("disable_prior_boxes_layers_generator", false)) return Value();
  const auto input = image_input(match.graph());
  if (!input) return Value();
  const PartialShape& shape = input->as<Parameter>()->shape;
  if (!shape.has_rank() || shape.size() != 4 || !shape[1].is_known() || !shape[2].is_known()) return Value();
  if (pipeline.has("ssd_anchor_generator_strides")) return Value();
  if (pipeline.has("multiscale_anchor_generator_max_level")) {
    MO_ASSIGN(const std::int64_t level, pipeline.integer("multiscale_anchor_generator_max_level"));
    if (!divides(shape[1].value(), level) || !divides(shape[2].value(), level)) return Value();
  }
  MO_ASSIGN(const std::vector<AnchorSizes> sizes,
            anchor_sizes(pipeline, static_cast<double>(shape[1].value()), static_cast<double>(shape[2].value())));
  std::vector<Value> heads;
  for (std::size_t i = 0; i < sizes.size(); ++i) heads.push_back(box_head(match.graph(), i));
  if (heads.empty() || std::find(heads.begin(), heads.end(), Value()) != heads.end()) return Value();
  // One more than the pipeline has: it is another model's.
  if (box_head(match.graph(), heads.size()))
    return error("MO-CONFIG-0222",
                 "the model has more than {} feature maps, and the pipeline "
                 "configuration has anchors for {}",
                 heads.size(), heads.size())
        .hint("give the pipeline.config that belongs to this model");
  std::vector<Value> priors;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    priors.push_back(clustered_priors(rw, heads[i], input->output(), sizes[i].widths, sizes[i].heights, variances));
  return priors.size() == 1 ? priors.front() : rw.create(ops::Concat{.axis = 2}, priors);
}

/// Decoding, score conversion and non-maximum suppression of an SSD ->
/// DetectionOutput(boxes, scores, priors).
Replacement replace_ssd_postprocessor(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  const auto build = [&]() -> Expected<Value> {
    MO_ASSIGN(const PipelineConfig pipeline, PipelineConfig::read(context, match.custom_attributes()));
    MO_ASSIGN(const std::vector<double> variances, pipeline.variances());
    MO_ASSIGN(const Value raw_boxes, match.input(0));
    MO_ASSIGN(const Value anchors, match.input(2));
    MO_ASSIGN(ops::DetectionOutput detection, detection_output(pipeline, match.custom_attributes()));
    set_clipping(detection, match);
    MO_ASSIGN(const Value scores, detection_scores(match, 1, pipeline, rw));
    const Value boxes = swapped_coordinates(rw, reshaped(rw, raw_boxes, {0, -1, 4}));
    MO_ASSIGN(Value priors, priors_of_heads(match, pipeline, variances, rw));
    if (!priors) priors = priors_of(rw, swapped_coordinates(rw, reshaped(rw, anchors, {-1, 4})), variances);
    return rw.create(Op(detection), rows(rw, boxes), rows(rw, scores), priors);
  };
  auto made = build();
  if (!made) return std::move(made).error();
  drop_inner_results(match);
  name_replacement(match, *made, "DetectionOutput");
  return Outputs{*made};
}

}  // namespace

void register_ssd_postprocessor(PassRegistry& registry) {
  registry.add(config_replacement("ObjectDetectionAPISSDPostprocessorReplacement")
                   .run_after({"ObjectDetectionAPIPreprocessorReplacement"})
                   .generate(replace_ssd_postprocessor));
}

}  // namespace mo::object_detection
