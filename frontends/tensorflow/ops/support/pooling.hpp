#pragma once

#include "frontends/tensorflow/ops/support/spatial_window.hpp"
#include "ops/pooling.hpp"

namespace mo::tensorflow {

/// What all pooling ops of the IR have: of ops::v1::AvgPool and ops::v8::MaxPool. Padding is never an element of a
/// window in TensorFlow.
template <class T>
T pooling(SpatialWindow window);

}  // namespace mo::tensorflow
