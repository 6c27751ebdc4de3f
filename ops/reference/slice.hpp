#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// out = data[first[0] + i * step[0], first[1] + j * step[1], …]; `counts` elements of each dimension. `out` may have
/// another shape of the same size.
void slice(const Tensor& data, const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& step,
           const Shape& counts, Tensor& out);
/// The inverse: writes `updates` (of shape `counts`, packed) to these places of `out`.
void slice_assign(const Tensor& updates, const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& step,
                  const Shape& counts, Tensor& out);

}  // namespace mo::ops::reference
