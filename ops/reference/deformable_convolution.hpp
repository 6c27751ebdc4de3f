#pragma once

#include "ops/reference/convolution.hpp"

namespace mo::ops::reference {

/// Two spatial axes. `offsets` [N, D * kernel * 2, out…], `mask` [N, D * kernel, out…] or null. `pad`: samples up to
/// one element outside are interpolated with zeros, else they are 0 and the upper neighbour is held inside.
Expected<void> deformable_convolution(const Tensor& data, const Tensor& offsets, const Tensor& filters,
                                      const Tensor* mask, Tensor& out, const ConvolutionGeometry& geometry,
                                      std::int64_t deformable_groups, bool pad);

}  // namespace mo::ops::reference
