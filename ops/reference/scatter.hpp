#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// What happens when an update meets an element.
enum class ScatterReduction { none, sum, sub, prod, min, max, mean };

/// Whether `reduction` is defined for elements of this type: moving is for all of at least 8 bits, arithmetic for
/// numbers and booleans.
bool can_reduce(ScatterReduction reduction, ElementType type);

// `out` holds the data already; indices are in range. Later updates of the same element win.

/// out[…, indices[i], …] = updates[…, i, …] along `axis`, where `i` may stand for several dimensions.
void scatter_slices(const Tensor& updates, const std::vector<std::int64_t>& indices, std::int64_t axis, Tensor& out);

/// out[i, indices[i, j], k] = reduction(out[…], updates[i, j, k]) for axis 1. `indices` have the shape of `updates`.
/// Without `use_init` the elements of the data do not take part where there is an update. Integer means are rounded
/// down. Error MO-CORE-0001: no memory for counting.
Expected<void> scatter_elements(const Tensor& updates, const std::vector<std::int64_t>& indices, std::int64_t axis,
                                ScatterReduction reduction, bool use_init, Tensor& out);

/// Each run of `depth` indices is the beginning of an index into `out`: the place of one slice of `updates`.
void scatter_nd(const Tensor& updates, const std::vector<std::int64_t>& indices, std::int64_t depth,
                ScatterReduction reduction, Tensor& out);

}  // namespace mo::ops::reference
