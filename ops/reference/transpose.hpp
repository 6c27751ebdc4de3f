#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Dimension i of `out` is dimension order[i] of `data`; `order` is a permutation.
void transpose(const Tensor& data, const std::vector<std::int64_t>& order, Tensor& out);

}  // namespace mo::ops::reference
