#pragma once

#include "core/op.hpp"
#include "ops/support/window.hpp"

namespace mo::ops {

namespace v1 {

/// 2-D convolution whose samples are moved by `offsets` [N, 2 * D * kernel, out…] (y, x per kernel position) and read
/// bilinearly; a sample outside of the data is 0. `filters` [O, C / group, kernel…]; D = `deformable_group` groups of
/// channels have offsets of their own.
struct DeformableConvolution {
  static constexpr OpId id{"DeformableConvolution", 1};
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::vector<std::int64_t> dilations;
  AutoPad auto_pad = AutoPad::explicit_pads;
  std::int64_t group = 1;
  std::int64_t deformable_group = 1;
  static constexpr auto attributes = Attributes{attr("strides", &DeformableConvolution::strides),
                                                attr("pads_begin", &DeformableConvolution::pads_begin),
                                                attr("pads_end", &DeformableConvolution::pads_end),
                                                attr("dilations", &DeformableConvolution::dilations),
                                                attr("auto_pad", &DeformableConvolution::auto_pad),
                                                attr("group", &DeformableConvolution::group),
                                                attr("deformable_group", &DeformableConvolution::deformable_group)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v1

namespace v8 {

/// As opset1, with an optional `mask` [N, D * kernel, out…] that weighs the samples. With `bilinear_interpolation_pad`
/// a sample less than one element outside is interpolated with zeros instead of being 0.
struct DeformableConvolution : v1::DeformableConvolution {
  static constexpr OpId id{"DeformableConvolution", 8};
  bool bilinear_interpolation_pad = false;
  static constexpr auto attributes =
      Attributes{v1::DeformableConvolution::attributes,
                 attr("bilinear_interpolation_pad", &DeformableConvolution::bilinear_interpolation_pad)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace v8

using v8::DeformableConvolution;

}  // namespace mo::ops
