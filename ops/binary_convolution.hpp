#pragma once

#include "core/op.hpp"
#include "ops/support/window.hpp"

namespace mo::ops {

enum class BinaryConvolutionMode { xnor_popcount };
inline constexpr std::array<std::string_view, 1> kBinaryConvolutionModeNames{"xnor-popcount"};
constexpr const auto& names_of(BinaryConvolutionMode) { return kBinaryConvolutionModeNames; }

/// Convolution of numbers that stand for bits (positive: +1, else -1) with filters of bits (1: +1, 0: -1), element type
/// u1. The padding counts as `pad_value`.
struct BinaryConvolution {
  static constexpr OpId id{"BinaryConvolution", 1};
  BinaryConvolutionMode mode = BinaryConvolutionMode::xnor_popcount;
  double pad_value = 0;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  std::vector<std::int64_t> dilations;
  AutoPad auto_pad = AutoPad::explicit_pads;
  static constexpr auto attributes =
      Attributes{attr("mode", &BinaryConvolution::mode),         attr("pad_value", &BinaryConvolution::pad_value),
                 attr("strides", &BinaryConvolution::strides),   attr("pads_begin", &BinaryConvolution::pads_begin),
                 attr("pads_end", &BinaryConvolution::pads_end), attr("dilations", &BinaryConvolution::dilations),
                 attr("auto_pad", &BinaryConvolution::auto_pad)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
