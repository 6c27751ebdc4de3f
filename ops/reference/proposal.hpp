#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

struct ProposalParameters {
  std::int64_t base_size = 16;
  std::int64_t pre_nms_topn = 6000;
  std::int64_t post_nms_topn = 300;
  float nms_threshold = 0.7F;
  std::int64_t feat_stride = 16;
  std::int64_t min_size = 16;
  std::vector<float> ratios;
  std::vector<float> scales;
  bool clip_before_nms = true;
  bool clip_after_nms = false;
  bool normalize = false;
  float box_size_scale = 1;
  float box_coordinate_scale = 1;
  /// anchors and clipping as TensorFlow's, otherwise Caffe's: last pixel included, rounded anchors
  bool tensorflow = false;
};

/// Faster R-CNN's region proposals. f32: `scores` [N, 2 * anchors, H, W], `deltas` [N, 4 * anchors, H, W], `image`
/// (height, width, scale[s]); anchors = ratios * scales. `rois` [N * post_nms_topn, 5] of image and box, rows after the
/// last start with -1; `probabilities` may be empty.
void proposal(const Tensor& scores, const Tensor& deltas, const std::vector<float>& image, Tensor& rois,
              Tensor& probabilities, const ProposalParameters& parameters);

}  // namespace mo::ops::reference
