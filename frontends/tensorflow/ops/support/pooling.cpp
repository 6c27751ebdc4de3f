#include "frontends/tensorflow/ops/support/pooling.hpp"

namespace mo::tensorflow {

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

template ops::v1::AvgPool pooling(SpatialWindow window);
template ops::v8::MaxPool pooling(SpatialWindow window);

}  // namespace mo::tensorflow
