#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// `data` backwards along each dimension that `backwards` marks.
void reverse(const Tensor& data, const std::vector<bool>& backwards, Tensor& out);

/// Reverses the first lengths[b] elements along `axis` at each place b of `batch_axis`; lengths are in [0, size of the
/// axis].
void reverse_sequences(const Tensor& data, const std::vector<std::int64_t>& lengths, std::int64_t batch_axis,
                       std::int64_t axis, Tensor& out);

}  // namespace mo::ops::reference
