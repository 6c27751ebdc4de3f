#pragma once

#include "core/rewrite.hpp"
#include "ops/support/window.hpp"

namespace mo::front {

/// The window attributes of a front-only convolution or pooling (`kernel`, `strides`, `dilations`, `pads_begin`, `pads_end`, `auto_pad`).
struct Window {
  std::vector<std::int64_t> kernel;
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads_begin;
  std::vector<std::int64_t> pads_end;
  ops::AutoPad auto_pad = ops::AutoPad::explicit_pads;

  std::size_t spatial_rank() const { return strides.size(); }
};

/// Attributes that are missing are empty lists.
Window window_of(const Node& node);

/// As above for a convolution with `filters` [O, I, spatial…]: no list is empty, and `kernel` is known when the filters or the model tell
/// it. Errors: MO-ONNX-0105 when neither attributes nor filters tell the number of spatial axes, MO-ONNX-0106 when they contradict each other.
Expected<Window> convolution_window(const Node& node, const Value& filters);

/// Filters [G * A, B, spatial…] -> [G, A, B, spatial…], as the grouped convolutions of the IR have them.
Value grouped_filters(Rewriter& rw, const Value& filters, std::int64_t groups, std::size_t spatial_rank);

/// Convolution or GroupConvolution of data and filters in the order of ONNX.
Value convolve(Rewriter& rw, const Value& data, const Value& filters, const Window& window, std::int64_t groups);

}  // namespace mo::front
