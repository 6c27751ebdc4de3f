#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

enum class ReduceKind { sum, mean, max, min, prod, l1, l2, logical_and, logical_or };

/// Takes the axes marked in `reduced` together; `out` is allocated, with or without the reduced axes as ones. Reals are
/// summed up in f64 in memory order; integers modulo 2^64. Of nothing: the neutral element; the mean of nothing is NaN
/// (0 for integers). Fails only when there is no memory.
Expected<void> reduce(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, ReduceKind kind);

}  // namespace mo::ops::reference
