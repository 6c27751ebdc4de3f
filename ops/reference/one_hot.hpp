#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Fills `out` with the element of `off`, and with that of `on` at each index along `axis`. Indices outside of the axis
/// are ignored.
void one_hot(const std::vector<std::int64_t>& indices, std::int64_t axis, const Tensor& on, const Tensor& off,
             Tensor& out);

}  // namespace mo::ops::reference
