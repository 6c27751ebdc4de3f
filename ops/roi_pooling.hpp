#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Pools regions [count, 5] (batch, x1, y1, x2, y2) of data [N, C, H, W] into `pooled_h` x `pooled_w` bins: the largest
/// element of a bin
/// (`method` max), or one bilinear sample of it, for regions in [0, 1] (`method` bilinear).
struct ROIPooling {
  static constexpr OpId id{"ROIPooling", 0, 2};
  std::int64_t pooled_h = 0;
  std::int64_t pooled_w = 0;
  double spatial_scale = 1;
  std::string method = "max";
  std::vector<std::int64_t> output_size;  ///< height and width, for files without pooled_h and pooled_w
  static constexpr auto attributes =
      Attributes{attr("pooled_h", &ROIPooling::pooled_h), attr("pooled_w", &ROIPooling::pooled_w),
                 attr("spatial_scale", &ROIPooling::spatial_scale), attr("method", &ROIPooling::method),
                 attr("output_size", &ROIPooling::output_size).optional()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
