#pragma once

#include "core/pass/rewriter.hpp"
#include "ops/support/window.hpp"

namespace mo::build {

/// How a window moves over the spatial axes of a convolution or pooling. All lists have one element per spatial axis;
/// `kernel` may be empty where the filters tell it.
struct Window {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  ops::AutoPad auto_pad = ops::AutoPad::explicit_pads;

  std::size_t spatial_rank() const { return strides.size(); }
};

/// Filters [G * A, B, spatial…] -> [G, A, B, spatial…], as the grouped convolutions of the IR have them.
Value grouped_filters(Rewriter& rw, const Value& filters, std::int64_t groups, std::size_t spatial_rank);

/// Convolution or GroupConvolution of data [N, C, spatial…] and filters [O, I, spatial…].
Value convolve(Rewriter& rw, const Value& data, const Value& filters, const Window& window, std::int64_t groups);

}  // namespace mo::build
