#pragma once

#include "frontends/tensorflow/ops/support/spatial_window.hpp"
#include "ops/convolution.hpp"

namespace mo::tensorflow {

/// The attributes of a convolution over `axes` spatial dimensions. Errors: as read_layout, read_spatial and
/// read_padding.
Expected<SpatialWindow> convolution_window(const FrameworkNode& node, std::size_t axes);

template <class T>
T with_window(const SpatialWindow& window) {
  T op;
  op.strides = window.strides;
  op.pads_begin = window.pads_begin;
  op.pads_end = window.pads_end;
  op.dilations = window.dilations;
  op.auto_pad = window.auto_pad;
  op.layout = window.layout;
  return op;
}

/// [spatial…, I, O] -> [O, I, spatial…]
Value plain_filters(Rewriter& rw, const Value& filters, std::size_t axes);
/// [H, W, C, M] -> [C, M, 1, H, W]: each channel is a group of its own and gives M channels.
Value depthwise_filters(Rewriter& rw, const Value& filters);

/// Conv2D(x, filters) -> Convolution(x, Transpose(filters)); in groups where the filters fit so, or are `depthwise`
/// ones.
Value convolved(Rewriter& rw, const Value& x, const Value& filters, const SpatialWindow& window, bool depthwise);

}  // namespace mo::tensorflow
