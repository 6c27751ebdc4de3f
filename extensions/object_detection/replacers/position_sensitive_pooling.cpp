#include "extensions/object_detection/regions.hpp"
#include "ops/psroi_pooling.hpp"
#include "ops/reduce.hpp"
#include "ops/transpose.hpp"

namespace mo::object_detection {
namespace {

Expected<std::int64_t> ratio_of(const PipelineConfig& pipeline, std::string_view crop, std::string_view bins) {
  MO_ASSIGN(const std::int64_t size, pipeline.integer(crop));
  MO_ASSIGN(const std::int64_t count, pipeline.integer(bins));
  if (count > 0 && size > 0 && size % count == 0) return size / count;
  return error("MO-CONFIG-0204", "{} is {} and {} is {}: expected a whole number of samples per bin", crop, size, bins,
               count)
      .hint("correct the pipeline configuration");
}

/// R-FCN: a loop over the images cuts each region into bins, of which each has
/// channels of its own, and averages the samples
/// -> PSROIPooling and a mean: [images, regions, 1, 1, depth].
Expected<Value> pooled(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  MO_ASSIGN(const PipelineConfig pipeline, PipelineConfig::read(context, match.custom_attributes()));
  MO_ASSIGN(const std::int64_t classes, pipeline.integer("num_classes"));
  MO_ASSIGN(const std::int64_t bins_x, pipeline.integer("num_spatial_bins_width"));
  MO_ASSIGN(const std::int64_t bins_y, pipeline.integer("num_spatial_bins_height"));
  MO_ASSIGN(const std::int64_t group, ratio_of(pipeline, "crop_width", "num_spatial_bins_width"));
  MO_ASSIGN(const std::int64_t group_y, ratio_of(pipeline, "crop_height", "num_spatial_bins_height"));
  MO_ASSIGN(const std::int64_t most, most_proposals(pipeline));
  MO_ASSIGN(const Value features, match.input(0));
  MO_ASSIGN(const Value regions, proposed_regions(match.graph()));
  if (group != group_y)
    return error("MO-CONFIG-0234",
                 "a bin has {} x {} samples: PSROIPooling has as many in both "
                 "directions",
                 group_y, group)
        .hint("leave out the configuration to convert the model as it is");
  // The first of the two scopes predicts boxes, the second one classes; the
  // model's convolutions tell them apart by their channels.
  const std::int64_t bins = bins_x * bins_y;
  const std::int64_t of_classes = (classes + 1) * bins;
  const bool is_classes = nearest_prediction(features, of_classes, "classes").has_value();
  const std::int64_t depth = is_classes ? classes + 1 : classes * 4;
  if (!is_classes) {
    MO_ASSIGN([[maybe_unused]] const Value checked, nearest_prediction(features, depth * bins, "boxes"));
  }
  const ops::PSROIPooling op{.output_dim = depth,
                             .spatial_scale = 1,
                             .group_size = group,
                             .mode = "bilinear",
                             .spatial_bins_x = bins_x,
                             .spatial_bins_y = bins_y};
  const Value crops =
      rw.create(Op(op), rw.create(ops::Transpose{}, features, rw.integers({0, 3, 1, 2})), with_x_first(rw, regions));
  const Value mean = rw.create(ops::ReduceMean{.keep_dims = false}, crops, rw.integers({2, 3}));
  return reshaped(rw, mean, {-1, most, 1, 1, depth});
}

Replacement replace_position_sensitive_pooling(SubgraphMatch& match, Rewriter& rw, PassContext& context) {
  auto made = pooled(match, rw, context);
  if (!made) return std::move(made).error();
  return Outputs{*made};
}

}  // namespace

void register_position_sensitive_pooling(PassRegistry& registry) {
  registry.add(config_replacement("ObjectDetectionAPIPSROIPoolingReplacement")
                   .run_after({"ObjectDetectionAPIProposalReplacement"})
                   .generate(replace_position_sensitive_pooling));
}

}  // namespace mo::object_detection
