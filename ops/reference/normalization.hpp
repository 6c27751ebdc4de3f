#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

// Statistics are taken in f64, in memory order. Real types; `out` is allocated with the type of `data`.

/// (data - mean) / deviation over the axes marked in `reduced`; the deviation is 1 without `normalize_variance`, else
/// sqrt(variance + epsilon), or sqrt(variance) + epsilon when not `inside_sqrt`. Fails only when there is no memory.
Expected<void> mean_variance(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, bool normalize_variance,
                             double epsilon, bool inside_sqrt);

/// data / sqrt(sum of squares + epsilon), or max(sum of squares, epsilon) under the root. Fails only when there is no
/// memory.
Expected<void> l2_norm(const Tensor& data, Tensor& out, const std::vector<bool>& reduced, double epsilon, bool use_max);

/// Per channel (dimension 1): (data - mean) / sqrt(variance + epsilon) * gamma + beta.
struct ChannelStatistics {
  const Tensor& gamma;
  const Tensor& beta;
  const Tensor& mean;
  const Tensor& variance;
};
Expected<void> batch_norm(const Tensor& data, const ChannelStatistics& statistics, Tensor& out, double epsilon);

/// Mean and variance over groups of neighbouring channels and all spatial dimensions, then scale and bias per channel.
/// The group count divides the channels.
Expected<void> group_norm(const Tensor& data, const Tensor& scale, const Tensor& bias, Tensor& out, std::int64_t groups,
                          double epsilon);

/// data / (bias + alpha / size^n * local sum of squares)^beta; the neighbourhood reaches (size - 1) / 2 elements to
/// both sides along each of the n axes marked in `local`.
struct LocalResponse {
  double alpha = 1;
  double beta = 1;
  double bias = 1;
  std::int64_t size = 1;
};
Expected<void> local_response_norm(const Tensor& data, Tensor& out, const std::vector<bool>& local,
                                   const LocalResponse& parameters);

}  // namespace mo::ops::reference
