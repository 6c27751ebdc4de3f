#pragma once

#include "core/tensor/tensor.hpp"
#include "ops/reference/window.hpp"

namespace mo::ops::reference {

/// Sizes of a convolution whose shapes have been checked.
struct ConvolutionGeometry {
  std::int64_t batch = 0;
  std::int64_t groups = 1;
  std::int64_t in_channels = 0;   ///< per group
  std::int64_t out_channels = 0;  ///< per group
  bool transposed = false;        ///< the gradient of a convolution: the window slides over the result
  Window window;
};

/// `data` [N, G * I, spatial…], `filters` [G, O, I, kernel…] ([G, I, O, kernel…] when transposed), `out` [N, G * O,
/// spatial…], allocated. Fails only when there is no memory.
Expected<void> convolution(const Tensor& data, const Tensor& filters, Tensor& out, const ConvolutionGeometry& geometry);

}  // namespace mo::ops::reference
