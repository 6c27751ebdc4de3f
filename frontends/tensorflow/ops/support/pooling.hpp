#pragma once

#include "frontends/tensorflow/ops/support/spatial_window.hpp"
#include "ops/pooling.hpp"

namespace mo::tensorflow {

/// What all pooling ops of the IR have. Padding is never an element of a window in TensorFlow.
template <class T>
T pooling(SpatialWindow window) {
  T op;
  op.kernel = std::move(window.kernel);
  op.strides = std::move(window.strides);
  op.pads_begin = std::move(window.pads_begin);
  op.pads_end = std::move(window.pads_end);
  op.auto_pad = window.auto_pad;
  op.layout = window.layout;
  if constexpr (requires { op.exclude_pad; }) op.exclude_pad = true;
  return op;
}

}  // namespace mo::tensorflow
