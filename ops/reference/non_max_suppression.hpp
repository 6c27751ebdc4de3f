#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// What the numbers of a box are: y1, x1, y2, x2; center x, center y, width, height; or the same and an angle.
enum class BoxKind { corners, centers, clockwise, counter_clockwise };

struct NonMaxSuppressionParameters {
  BoxKind kind = BoxKind::corners;
  std::int64_t most_per_class = 0;
  float iou_threshold = 0;
  float score_threshold = 0;
  float soft_sigma = 0;       ///< above 0: overlapping boxes lose score instead of being dropped
  bool sort_by_score = true;  ///< across batches and classes
  /// classes up to opset5 drop a box whose overlap is exactly the threshold, later ones (as ONNX) keep it
  bool drop_at_threshold = true;
};

struct SelectedBox {
  std::int64_t batch = 0;
  std::int64_t label = 0;
  std::int64_t box = 0;
  float score = 0;
};

/// `boxes` f32 [batch, count, 4] (with an angle: 5), `scores` f32 [batch, classes, count].
std::vector<SelectedBox> non_max_suppression(const Tensor& boxes, const Tensor& scores,
                                             const NonMaxSuppressionParameters& parameters);

}  // namespace mo::ops::reference
