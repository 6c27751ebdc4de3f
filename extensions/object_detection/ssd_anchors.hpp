#pragma once

#include "extensions/object_detection/pipeline_config.hpp"

namespace mo::object_detection {

/// Widths and heights of the boxes at each place of one feature map, in pixels
/// of the image.
struct AnchorSizes {
  std::vector<double> widths;
  std::vector<double> heights;
};

/// One entry for each feature map, as TensorFlow's SSD anchor generator (or the
/// multi-scale one) makes them; empty when the pipeline has another generator.
/// Errors of the pipeline configuration.
Expected<std::vector<AnchorSizes>> anchor_sizes(const PipelineConfig& pipeline, double image_height,
                                                double image_width);

}  // namespace mo::object_detection
