#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// The kinds of real numbers that `classify` reports; combine with |.
enum NumberClass : unsigned { kFinite = 1, kNegativeInfinity = 2, kPositiveInfinity = 4, kNotANumber = 8 };

/// `out` (boolean) is true where the number is of one of `classes`.
void classify(const Tensor& in, Tensor& out, unsigned classes);

}  // namespace mo::ops::reference
