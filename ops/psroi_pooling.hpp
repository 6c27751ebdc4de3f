#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Position-sensitive pooling of regions [count, 5] (batch, x1, y1, x2, y2): each of the `group_size` x `group_size`
/// bins has channels of its own (`mode` average), or the region is cut into spatial bins that have (`mode` bilinear).
struct PSROIPooling {
  static constexpr OpId id{"PSROIPooling", 0};
  std::int64_t output_dim = 1;
  double spatial_scale = 1;
  std::int64_t group_size = 1;
  std::string mode = "average";
  std::int64_t spatial_bins_x = 1;
  std::int64_t spatial_bins_y = 1;
  static constexpr auto attributes = Attributes{
      attr("output_dim", &PSROIPooling::output_dim),         attr("spatial_scale", &PSROIPooling::spatial_scale),
      attr("group_size", &PSROIPooling::group_size),         attr("mode", &PSROIPooling::mode),
      attr("spatial_bins_x", &PSROIPooling::spatial_bins_x), attr("spatial_bins_y", &PSROIPooling::spatial_bins_y)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// PSROIPooling whose bins are moved by an optional input 2. Not evaluated: runtimes differ in what they sample.
struct DeformablePSROIPooling {
  static constexpr OpId id{"DeformablePSROIPooling", 1};
  std::int64_t output_dim = 1;
  double spatial_scale = 1;
  std::int64_t group_size = 1;
  std::string mode = "bilinear_deformable";
  std::int64_t spatial_bins_x = 1;
  std::int64_t spatial_bins_y = 1;
  double trans_std = 1;
  std::int64_t part_size = 1;
  static constexpr auto attributes = Attributes{attr("output_dim", &DeformablePSROIPooling::output_dim),
                                                attr("spatial_scale", &DeformablePSROIPooling::spatial_scale),
                                                attr("group_size", &DeformablePSROIPooling::group_size),
                                                attr("mode", &DeformablePSROIPooling::mode),
                                                attr("spatial_bins_x", &DeformablePSROIPooling::spatial_bins_x),
                                                attr("spatial_bins_y", &DeformablePSROIPooling::spatial_bins_y),
                                                attr("trans_std", &DeformablePSROIPooling::trans_std),
                                                attr("part_size", &DeformablePSROIPooling::part_size)};
  Expected<void> infer(InferContext& ctx) const;
};

}  // namespace mo::ops
