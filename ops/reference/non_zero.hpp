#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// A matrix [rank, count] of i32 or i64 with the indices of all elements that are not 0 (-0.0 is, NaN is not), in
/// row-major order. Error MO-CORE-0001: no memory for it.
Expected<Tensor> non_zero(const Tensor& data, ElementType index_type);

}  // namespace mo::ops::reference
