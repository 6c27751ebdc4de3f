#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// The largest (or smallest) elements along `axis`, as many as `values` has there, and their indices (i32 or i64). Best
/// first, equal elements by index; or all by index. NaN counts as larger than every number.
void top_k(const Tensor& data, std::int64_t axis, bool largest, bool by_index, Tensor& values, Tensor& indices);

}  // namespace mo::ops::reference
