#pragma once

#include "core/op.hpp"
#include "core/op/data_layout.hpp"
#include "ops/support/window.hpp"

namespace mo::ops {

/// Cross-correlation of `data` [N, C, spatial…] with `filters` [O, C, spatial…], over 1 to 3 spatial dimensions.
struct Convolution {
  static constexpr OpId id{"Convolution", 1};
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::vector<std::int64_t> dilations;
  AutoPad auto_pad = AutoPad::explicit_pads;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{attr("strides", &Convolution::strides),   attr("pads_begin", &Convolution::pads_begin),
                 attr("pads_end", &Convolution::pads_end), attr("dilations", &Convolution::dilations),
                 attr("auto_pad", &Convolution::auto_pad), attr("layout", &Convolution::layout).internal().optional()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// Convolution in groups of channels: `filters` [G, O / G, C / G, spatial…].
struct GroupConvolution {
  static constexpr OpId id{"GroupConvolution", 1};
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::vector<std::int64_t> dilations;
  AutoPad auto_pad = AutoPad::explicit_pads;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes = Attributes{
      attr("strides", &GroupConvolution::strides),   attr("pads_begin", &GroupConvolution::pads_begin),
      attr("pads_end", &GroupConvolution::pads_end), attr("dilations", &GroupConvolution::dilations),
      attr("auto_pad", &GroupConvolution::auto_pad), attr("layout", &GroupConvolution::layout).internal().optional()};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// The gradient of a convolution with respect to its data (transposed convolution): `filters` [C, O, spatial…], and
/// optionally the spatial `output_shape`. With an output shape and auto_pad same_*, the pads follow from it; otherwise
/// it only says where to cut.
struct ConvolutionBackpropData {
  static constexpr OpId id{"ConvolutionBackpropData", 1};
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::vector<std::int64_t> dilations;
  AutoPad auto_pad = AutoPad::explicit_pads;
  std::vector<std::int64_t> output_padding;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{attr("strides", &ConvolutionBackpropData::strides),
                 attr("pads_begin", &ConvolutionBackpropData::pads_begin),
                 attr("pads_end", &ConvolutionBackpropData::pads_end),
                 attr("dilations", &ConvolutionBackpropData::dilations),
                 attr("auto_pad", &ConvolutionBackpropData::auto_pad),
                 attr("output_padding", &ConvolutionBackpropData::output_padding).optional(),
                 attr("layout", &ConvolutionBackpropData::layout).internal().optional()};
  static constexpr OpTraits traits{.shape_inputs = 0b100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

/// As ConvolutionBackpropData, in groups of channels: `filters` [G, C / G, O / G, spatial…].
struct GroupConvolutionBackpropData {
  static constexpr OpId id{"GroupConvolutionBackpropData", 1};
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::vector<std::int64_t> dilations;
  AutoPad auto_pad = AutoPad::explicit_pads;
  std::vector<std::int64_t> output_padding;
  DataLayout layout = DataLayout::channels_first;
  static constexpr auto attributes =
      Attributes{attr("strides", &GroupConvolutionBackpropData::strides),
                 attr("pads_begin", &GroupConvolutionBackpropData::pads_begin),
                 attr("pads_end", &GroupConvolutionBackpropData::pads_end),
                 attr("dilations", &GroupConvolutionBackpropData::dilations),
                 attr("auto_pad", &GroupConvolutionBackpropData::auto_pad),
                 attr("output_padding", &GroupConvolutionBackpropData::output_padding).optional(),
                 attr("layout", &GroupConvolutionBackpropData::layout).internal().optional()};
  static constexpr OpTraits traits{.shape_inputs = 0b100};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
