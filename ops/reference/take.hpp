#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// An index that stands for the fill value in `take`.
inline constexpr std::int64_t kFill = -1;

/// out[i, j, …] = data[tables[0][i], tables[1][j], …], or the fill value where some table says kFill.
///
/// One table per dimension, as long as that dimension of `out`, with indices inside of `data`. `fill`: one element of
/// the type of `data`, or empty for zeros.
void take(const Tensor& data, const std::vector<std::vector<std::int64_t>>& tables, const Tensor& fill, Tensor& out);

}  // namespace mo::ops::reference
