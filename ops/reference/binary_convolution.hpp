#pragma once

#include "ops/reference/convolution.hpp"

namespace mo::ops::reference {

/// `filters` [O, I, kernel…] of type u1, first element in the most significant bit; `padding`: the bit that the padding
/// stands for.
Expected<void> binary_convolution(const Tensor& data, const Tensor& filters, Tensor& out,
                                  const ConvolutionGeometry& geometry, bool padding);

}  // namespace mo::ops::reference
