#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Einstein summation with one label (any number) per dimension, contracted from left to right, each step as a batched
/// matrix product. Shapes fit; a dimension of 1 broadcasts. Fails only when there is no memory for an intermediate
/// result.
Expected<void> einsum(const std::vector<Tensor>& inputs, const std::vector<std::vector<int>>& input_labels,
                      const std::vector<int>& output_labels, Tensor& out);

}  // namespace mo::ops::reference
