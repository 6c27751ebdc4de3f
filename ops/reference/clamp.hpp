#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Limits every number to [low, high]; NaN stays NaN. For integers the limits are rounded into the interval: [0.5, 2.5]
/// is [1, 2].
void clamp(const Tensor& in, Tensor& out, double low, double high);

}  // namespace mo::ops::reference
