#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

struct DetectionOutputParameters {
  std::int64_t classes = 0;
  std::int64_t priors = 0;
  std::int64_t background_label = 0;  ///< -1: none
  std::int64_t top_k = -1;            ///< boxes per class that suppression looks at; -1: all
  std::int64_t keep_top_k = -1;       ///< boxes per image that stay; -1: all
  bool variance_encoded_in_target = false;
  bool center_size = false;  ///< boxes are coded as center and size, otherwise as corners
  bool share_location = true;
  double nms_threshold = 0;
  double confidence_threshold = 0;
  bool clip_after_nms = false;
  bool clip_before_nms = false;
  /// suppression as MXNet does it: one class per prior, labels start at the class after the background
  bool decrease_label_id = false;
  bool normalized = false;
  double input_height = 1;
  double input_width = 1;
  double objectness_score = 0;
};

/// SSD's last layer: decodes boxes against priors and suppresses. All tensors f32: `boxes` [N, priors * (1 or classes)
/// * 4], `scores` [N, priors * classes], `priors` [1 or N, 1 or 2, priors * (4 or 5)], `extra_scores` [N, priors * 2]
/// and `extra_boxes` (as boxes) both or neither empty; `out` [1, 1, rows, 7] of image, label, score, box. A row that
/// starts with -1 ends them.
void detection_output(const Tensor& boxes, const Tensor& scores, const Tensor& priors, const Tensor& extra_scores,
                      const Tensor& extra_boxes, Tensor& out, const DetectionOutputParameters& parameters);

}  // namespace mo::ops::reference
