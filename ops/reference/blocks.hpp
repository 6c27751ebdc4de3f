#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// [N, C * b^k, D1, …] -> [N, C, D1 * b, …]; `blocks_first`: the place in the block counts slower than the channel.
void depth_to_space(const Tensor& data, std::int64_t block, bool blocks_first, Tensor& out);
/// The inverse.
void space_to_depth(const Tensor& data, std::int64_t block, bool blocks_first, Tensor& out);

/// Batches to blocks of the other dimensions, by TensorFlow's order; `blocks` has one number for each dimension, 1 for
/// the batch.
void batch_to_space(const Tensor& data, const std::vector<std::int64_t>& blocks, Tensor& out);
/// The inverse.
void space_to_batch(const Tensor& data, const std::vector<std::int64_t>& blocks, Tensor& out);

/// Channel g * k + i goes to i * groups + g along `axis`, of k = size / groups channels each.
void shuffle_channels(const Tensor& data, std::int64_t axis, std::int64_t groups, Tensor& out);

}  // namespace mo::ops::reference
