#include "extensions/object_detection/ssd_anchors.hpp"

#include <algorithm>
#include <cmath>

namespace mo::object_detection {
namespace {

constexpr std::int64_t kMostLayers = 64;

Diagnostic out_of_range(std::string_view key, double value) {
  return error("MO-CONFIG-0204", "{} is {}, which does not define anchors", key, value)
      .hint("correct the pipeline configuration");
}

Expected<void> expect_positive(std::string_view key, const std::vector<double>& values) {
  for (const double v : values)
    if (!(v > 0)) return out_of_range(key, v);
  return {};
}

/// Relative sizes: `scale` of the side of a square box, for each aspect ratio
/// width : height.
void add(AnchorSizes& sizes, double scale, double ratio) {
  sizes.widths.push_back(scale * std::sqrt(ratio));
  sizes.heights.push_back(scale / std::sqrt(ratio));
}

/// Object Detection API, create_ssd_anchors.
Expected<std::vector<AnchorSizes>> ssd_sizes(const PipelineConfig& pipeline, double image_height, double image_width) {
  MO_ASSIGN(const std::int64_t layers, pipeline.integer("ssd_anchor_generator_num_layers"));
  MO_ASSIGN(const double min_scale, pipeline.real("ssd_anchor_generator_min_scale"));
  MO_ASSIGN(const double max_scale, pipeline.real("ssd_anchor_generator_max_scale"));
  MO_ASSIGN(std::vector<double> scales, pipeline.reals("ssd_anchor_generator_scales"));
  MO_ASSIGN(const std::vector<double> ratios, pipeline.reals("ssd_anchor_generator_aspect_ratios"));
  MO_ASSIGN(const double between, pipeline.real("ssd_anchor_generator_interpolated_scale_aspect_ratio"));
  MO_ASSIGN(const bool reduce_lowest, pipeline.boolean("ssd_anchor_generator_reduce_lowest"));
  MO_ASSIGN(const double base_height, pipeline.real("ssd_anchor_generator_base_anchor_height"));
  MO_ASSIGN(const double base_width, pipeline.real("ssd_anchor_generator_base_anchor_width"));
  if (layers < 1 || layers > kMostLayers)
    return out_of_range("ssd_anchor_generator_num_layers", static_cast<double>(layers));
  MO_TRY(expect_positive("ssd_anchor_generator_aspect_ratios", ratios));
  if (scales.empty())
    for (std::int64_t i = 0; i < layers; ++i)
      scales.push_back(layers == 1 ? min_scale
                                   : min_scale + (max_scale - min_scale) * static_cast<double>(i) /
                                                     static_cast<double>(layers - 1));
  if (static_cast<std::int64_t>(scales.size()) != layers)
    return out_of_range("number of ssd_anchor_generator_scales", static_cast<double>(scales.size()));
  MO_TRY(expect_positive("ssd_anchor_generator_scales", scales));
  scales.push_back(1.0);

  const double side = std::min(image_height, image_width);
  std::vector<AnchorSizes> made;
  for (std::size_t i = 0; i + 1 < scales.size(); ++i) {
    AnchorSizes sizes;
    if (i == 0 && reduce_lowest) {
      add(sizes, 0.1, 1.0);
      add(sizes, scales[0], 2.0);
      add(sizes, scales[0], 0.5);
    } else {
      for (const double ratio : ratios) add(sizes, scales[i], ratio);
      if (between > 0) add(sizes, std::sqrt(scales[i] * scales[i + 1]), between);
    }
    for (double& w : sizes.widths) w *= side * base_width;
    for (double& h : sizes.heights) h *= side * base_height;
    made.push_back(std::move(sizes));
  }
  return made;
}

/// Object Detection API, multi-scale grid anchors: ratios outside, octaves
/// inside.
Expected<std::vector<AnchorSizes>> multiscale_sizes(const PipelineConfig& pipeline) {
  MO_ASSIGN(const std::int64_t first, pipeline.integer("multiscale_anchor_generator_min_level"));
  MO_ASSIGN(const std::int64_t last, pipeline.integer("multiscale_anchor_generator_max_level"));
  MO_ASSIGN(const double anchor_scale, pipeline.real("multiscale_anchor_generator_anchor_scale"));
  MO_ASSIGN(const std::vector<double> ratios, pipeline.reals("multiscale_anchor_generator_aspect_ratios"));
  MO_ASSIGN(const std::int64_t octaves, pipeline.integer("multiscale_anchor_generator_scales_per_octave"));
  if (first < 0 || last < first || last > kMostLayers / 2)
    return out_of_range("multiscale_anchor_generator_max_level", static_cast<double>(last));
  if (octaves < 1 || octaves > kMostLayers)
    return out_of_range("multiscale_anchor_generator_scales_per_octave", static_cast<double>(octaves));
  MO_TRY(expect_positive("multiscale_anchor_generator_aspect_ratios", ratios));
  std::vector<AnchorSizes> made;
  for (std::int64_t level = first; level <= last; ++level) {
    AnchorSizes sizes;
    for (const double ratio : ratios)
      for (std::int64_t k = 0; k < octaves; ++k)
        add(sizes,
            std::exp2(static_cast<double>(level)) * anchor_scale *
                std::exp2(static_cast<double>(k) / static_cast<double>(octaves)),
            ratio);
    made.push_back(std::move(sizes));
  }
  return made;
}

}  // namespace

Expected<std::vector<AnchorSizes>> anchor_sizes(const PipelineConfig& pipeline, double image_height,
                                                double image_width) {
  if (pipeline.has("ssd_anchor_generator_num_layers")) return ssd_sizes(pipeline, image_height, image_width);
  if (pipeline.has("multiscale_anchor_generator_min_level")) return multiscale_sizes(pipeline);
  return std::vector<AnchorSizes>();
}

}  // namespace mo::object_detection
