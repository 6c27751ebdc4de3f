#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// out[b] = sum (or mean) of table[indices[i]] * weights[i] for i in [begins[b], begins[b + 1]); what an empty bag
/// gives is row `default_index`, or zeros for -1. `weights` may be empty. All indices are in range. Short reals are
/// added in float.
void embedding_bags(const Tensor& table, const std::vector<std::int64_t>& indices,
                    const std::vector<std::int64_t>& begins, std::int64_t default_index, const Tensor& weights,
                    bool mean, Tensor& out);

}  // namespace mo::ops::reference
