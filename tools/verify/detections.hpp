#pragma once

#include <optional>

#include "core/comparison/closeness.hpp"
#include "tools/verify/truth.hpp"

namespace mo::tools {

/// Compares what a detector found with its configuration and without it. `rows` is the output of DetectionOutput,
/// [1,1,N,7]: image, label, score, x1, y1, x2, y2; a negative image ends them. The model of the Object Detection API
/// has "detection_boxes" [images,M,4] (y1, x1, y2, x2), "detection_scores" and "detection_classes" [images,M], and
/// "num_detections" [images]. Each detection of one has its partner in the other: of the same image and label, with
/// score and corners that are close. Nothing when `rows` has another shape, or the truth no such outputs. Errors: of
/// loading.
Expected<std::optional<TensorDifference>> compare_detections(const Tensor& rows, const Truth& truth,
                                                             const Closeness& closeness);

}  // namespace mo::tools
