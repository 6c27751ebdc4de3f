#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// How the angle of a region, in an image whose y grows downwards, is counted.
enum class Rotation { none, clockwise, counter_clockwise };

struct RoiAlignParameters {
  std::int64_t sampling_ratio = 0;  ///< samples per bin and direction; 0: as many as the bin has elements
  double spatial_scale = 1;
  bool largest = false;      ///< the largest sample of a bin instead of the mean
  bool aligned = false;      ///< regions keep their size even below one element
  double source_offset = 0;  ///< (coordinate + source_offset) * spatial_scale + target_offset
  double target_offset = 0;
  Rotation rotation = Rotation::none;  ///< of regions [count, 5]: center x, center y, width, height, angle
};

/// `data` [N, C, H, W], `rois` [count, 4] (x1, y1, x2, y2; or [count, 5], see `rotation`) and `out` [count, C, bins,
/// bins], all f32; `batches` in [0, N). Error MO-OPS-0452 for a region that is not finite or has more samples than
/// anyone can want.
Expected<void> roi_align(const Tensor& data, const Tensor& rois, const std::vector<std::int64_t>& batches, Tensor& out,
                         const RoiAlignParameters& parameters);

}  // namespace mo::ops::reference
