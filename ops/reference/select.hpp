#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// `then` where `condition` (boolean) is true, else `otherwise`; numpy broadcasting to `shape`. Any element type.
/// Fails where there is no memory for the result, or where strings are packed inconsistently.
Expected<Tensor> select(const Tensor& condition, const Tensor& then, const Tensor& otherwise, const Shape& shape);

}  // namespace mo::ops::reference
