#pragma once

#include "core/tensor/tensor.hpp"
#include "ops/reference/window.hpp"

namespace mo::ops::reference {

/// Mean of each window; `exclude_pad`: of the elements that lie in the data, else padding counts as zeros (but never
/// what a rounded-up last window sees beyond the padding). Integers are rounded to nearest, ties to even. An empty
/// window gives 0.
void average_pool(const Tensor& data, Tensor& out, const Window& window, bool exclude_pad);

/// Largest element of each window, the first of equal ones, NaN wins. `indices` (i32 or i64, may be null): its place in
/// the data modulo `index_period`, row-major. An empty window gives the lowest number and index 0. Fails only when
/// there is no memory.
Expected<void> max_pool(const Tensor& data, Tensor& out, Tensor* indices, const Window& window,
                        std::int64_t index_period);

/// `window` without kernel: position o sees the elements [floor(o * in / out), ceil((o + 1) * in / out)). Real types.
void adaptive_average_pool(const Tensor& data, Tensor& out, const Window& window);
/// Indices count within one [spatial…] plane. Fails only when there is no memory.
Expected<void> adaptive_max_pool(const Tensor& data, Tensor& out, Tensor* indices, const Window& window);

}  // namespace mo::ops::reference
