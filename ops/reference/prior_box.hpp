#pragma once

#include <optional>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

struct PriorBoxParameters {
  std::vector<float> min_size;
  std::vector<float> max_size;
  std::vector<float> aspect_ratio;
  std::vector<float> density;
  std::vector<float> fixed_ratio;
  std::vector<float> fixed_size;
  bool clip = false;
  bool flip = false;
  float step = 0;
  float offset = 0;
  std::vector<float> variance;
  bool scale_all_sizes = true;
  bool ratios_last = true;  ///< boxes of other aspect ratios come after that of the max size
};

/// Boxes per place of the feature map, as shape inference counts them; nothing when sizes and densities do not fit each
/// other.
std::optional<std::int64_t> prior_box_count(const PriorBoxParameters& parameters);

/// A grid of boxes in `out` [2, 4 * height * width * count] f32: corners relative to the image, then variances. Sizes
/// of the feature map and of the image are above 0. False when the boxes are not as many as `prior_box_count` says
/// (aspect ratios that almost equal each other).
bool prior_box(std::int64_t height, std::int64_t width, std::int64_t image_height, std::int64_t image_width,
               Tensor& out, const PriorBoxParameters& parameters);

struct PriorBoxClusteredParameters {
  std::vector<float> width;
  std::vector<float> height;
  bool clip = true;
  float step_w = 0;  ///< 0: from the sizes
  float step_h = 0;
  float offset = 0;
  std::vector<float> variance;
};
void prior_box_clustered(std::int64_t height, std::int64_t width, std::int64_t image_height, std::int64_t image_width,
                         Tensor& out, const PriorBoxClusteredParameters& parameters);

}  // namespace mo::ops::reference
