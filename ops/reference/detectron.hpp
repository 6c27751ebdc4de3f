#pragma once

#include "core/tensor/tensor.hpp"

/// Regions of Detectron models: the ops ExperimentalDetectron… of IR opset6.
namespace mo::ops::reference {

struct PyramidParameters {
  std::int64_t sampling_ratio = 2;
  std::vector<std::int64_t> scales;  ///< pixels of the image for each element of a level
  bool aligned = false;              ///< elements have their centre at 0.5
};

/// ROIAlign of each of `rois` [count, 4] on the level that fits its size, out of `levels` [1, C, H, W], finest first:
/// `out` [count, C, bins, bins]. All f32. A region without an area gives zeros. Errors: MO-OPS-0452.
Expected<void> pyramid_features(const Tensor& rois, const std::vector<Tensor>& levels, Tensor& out,
                                const PyramidParameters& parameters);

struct DetectronParameters {
  double score_threshold = 0.05;
  double nms_threshold = 0.5;
  double max_delta_log_wh = 0;
  std::int64_t most_of_class = 0;
  std::array<double, 4> weights{};  ///< that the deltas are multiplied with
  float height = 0;                 ///< of the image
  float width = 0;
};

/// Boxes of `rois` [n, 4] moved by `deltas` [n, 4 * classes] and clipped to the image, without those that a better one
/// of their class overlaps. Class 0 is the background. The best ones of all classes, best first, fill the rows of
/// `boxes` [rows, 4], `labels` [rows] (i32) and `scores` [rows]; what is left of the rows is 0. Boxes count pixels:
/// both ends belong to them.
void detectron_detections(const Tensor& rois, const Tensor& deltas, const Tensor& class_scores, Tensor& boxes,
                          Tensor& labels, Tensor& scores, const DetectronParameters& parameters);

}  // namespace mo::ops::reference
