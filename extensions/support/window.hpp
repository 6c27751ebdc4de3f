#pragma once

#include "core/rewrite.hpp"
#include "ops/build/convolution.hpp"

namespace mo::front {
using namespace build;

/// Attributes that are missing are empty lists.
Window window_of(const Node& node);

/// As above for a convolution with `filters` [O, I, spatial…]: no list is empty, and `kernel` is known when the filters or the model tell
/// it. Errors: MO-ONNX-0105 when neither attributes nor filters tell the number of spatial axes, MO-ONNX-0106 when they contradict each other.
Expected<Window> convolution_window(const Node& node, const Value& filters);

}  // namespace mo::front
