#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// How the samples of a bin become one number.
enum class RoiAlignMode { avg, max };
inline constexpr std::array<std::string_view, 2> kRoiAlignModeNames{"avg", "max"};
constexpr const auto& names_of(RoiAlignMode) { return kRoiAlignModeNames; }

/// Whether coordinates mean corners (asymmetric) or centers of elements.
enum class RoiAlignedMode { asymmetric, half_pixel_for_nn, half_pixel };
inline constexpr std::array<std::string_view, 3> kRoiAlignedModeNames{"asymmetric", "half_pixel_for_nn", "half_pixel"};
constexpr const auto& names_of(RoiAlignedMode) { return kRoiAlignedModeNames; }

namespace v3 {

/// Pools regions of feature maps with bilinear samples: data [N, C, H, W], regions [count, 4] (x1, y1, x2, y2), their
/// batches [count].
struct ROIAlign {
  static constexpr OpId id{"ROIAlign", 3};
  std::int64_t pooled_h = 1;
  std::int64_t pooled_w = 1;
  std::int64_t sampling_ratio = 0;
  double spatial_scale = 1;
  RoiAlignMode mode = RoiAlignMode::avg;
  static constexpr auto attributes =
      Attributes{attr("pooled_h", &ROIAlign::pooled_h), attr("pooled_w", &ROIAlign::pooled_w),
                 attr("sampling_ratio", &ROIAlign::sampling_ratio), attr("spatial_scale", &ROIAlign::spatial_scale),
                 attr("mode", &ROIAlign::mode)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v3

namespace v9 {

/// As opset3 with a choice of what a coordinate means.
struct ROIAlign : v3::ROIAlign {
  static constexpr OpId id{"ROIAlign", 9};
  RoiAlignedMode aligned_mode = RoiAlignedMode::asymmetric;
  static constexpr auto attributes =
      Attributes{v3::ROIAlign::attributes, attr("aligned_mode", &ROIAlign::aligned_mode)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v9

using v9::ROIAlign;

/// As ROIAlign by mean, of regions [count, 5] that are turned: center x, center y, width, height, and the angle in
/// radians. Coordinates mean centers of elements; regions keep their size even below one element.
struct ROIAlignRotated {
  static constexpr OpId id{"ROIAlignRotated", 15};
  std::int64_t pooled_h = 1;
  std::int64_t pooled_w = 1;
  std::int64_t sampling_ratio = 0;
  double spatial_scale = 1;
  bool clockwise_mode = false;
  static constexpr auto attributes = Attributes{
      attr("pooled_h", &ROIAlignRotated::pooled_h), attr("pooled_w", &ROIAlignRotated::pooled_w),
      attr("sampling_ratio", &ROIAlignRotated::sampling_ratio), attr("spatial_scale", &ROIAlignRotated::spatial_scale),
      attr("clockwise_mode", &ROIAlignRotated::clockwise_mode)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
