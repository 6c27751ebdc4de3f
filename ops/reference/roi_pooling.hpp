#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// `data` [N, C, H, W], `rois` [count, 5] (batch in [0, N), x1, y1, x2, y2), `out` [count, …], all f32; H, W > 0;
/// coordinates finite.

/// `out` [count, C, bins, bins]: the largest element of each bin; regions in elements of the data after scaling.
void roi_max_pooling(const Tensor& data, const Tensor& rois, Tensor& out, float spatial_scale);
/// `out` [count, C, bins, bins]: one bilinear sample per bin; regions in [0, 1].
void roi_bilinear_pooling(const Tensor& data, const Tensor& rois, Tensor& out);
/// `out` [count, D, bins, bins] of data with C = D * bins * bins: each bin averages a channel of its own.
void position_sensitive_average(const Tensor& data, const Tensor& rois, Tensor& out, float spatial_scale);
/// `out` [count, D, bins, bins] of data with C = D * bins_x * bins_y: the mean of bilinear samples, one in each spatial
/// bin.
void position_sensitive_bilinear(const Tensor& data, const Tensor& rois, Tensor& out, float spatial_scale,
                                 std::int64_t bins_x, std::int64_t bins_y);

}  // namespace mo::ops::reference
