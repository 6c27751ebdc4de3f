#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Matrices [..., n, n] of f64 and their inverses, transposed if `transposes`: the inverse of the transpose.
void invert(const Tensor& matrices, Tensor& inverses, bool transposes);

}  // namespace mo::ops::reference
