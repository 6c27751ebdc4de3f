#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Dimension i of `out` is dimension order[i] of `data`; `order` is a permutation. Along its dimension 0, `out` may
/// hold only some of the rows of the result, from `first_row` on.
void transpose(const Tensor& data, const std::vector<std::int64_t>& order, Tensor& out, std::int64_t first_row = 0);

}  // namespace mo::ops::reference
