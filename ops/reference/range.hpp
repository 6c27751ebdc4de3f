#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// out[i] = start + i * step, wrapping around in an integer type.
void integer_range(std::int64_t start, std::int64_t step, Tensor& out);
/// out[i] = start + i * step for any number type; start and step are truncated before when `out` holds integers.
/// Computed in double, so errors do not add up.
void real_range(double start, double step, Tensor& out);

}  // namespace mo::ops::reference
