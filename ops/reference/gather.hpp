#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Slices of `data` along `axis`, one for each index; `indices` are in [0, size of the axis) and, like the data,
/// divided into batches by the first `batch_dims` dimensions.
void gather(const Tensor& data, const std::vector<std::int64_t>& indices, std::int64_t axis, std::int64_t batch_dims,
            Tensor& out);

/// out[i, j, k] = data[i, index[i, j, k], k] for axis 1; `out` has the shape of the indices, which are in range. Beside
/// the axis the dimensions of `out` are at most those of `data`.
void gather_elements(const Tensor& data, const std::vector<std::int64_t>& indices, std::int64_t axis, Tensor& out);

/// Slices of `data`: each run of `depth` indices (in range) is the beginning of an index into one batch of `data`.
void gather_nd(const Tensor& data, const std::vector<std::int64_t>& indices, std::int64_t depth,
               std::int64_t batch_dims, Tensor& out);

}  // namespace mo::ops::reference
