#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Running sums along `axis`: without the element itself (`exclusive`), from the end (`reverse`). Integers wrap around.
void cum_sum(const Tensor& data, std::int64_t axis, bool exclusive, bool reverse, Tensor& out);

}  // namespace mo::ops::reference
