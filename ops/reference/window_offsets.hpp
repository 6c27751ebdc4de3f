#pragma once

#include <vector>

#include "ops/reference/convolution.hpp"
#include "ops/reference/gemm.hpp"

namespace mo::ops::reference {

/// For a block of up to kPanelColumns neighbouring result positions: which element of a data plane each kernel position
/// sees.
class WindowOffsets {
 public:
  explicit WindowOffsets(const ConvolutionGeometry& geometry)
      : window_(&geometry.window),
        transposed_(geometry.transposed),
        offsets_(static_cast<std::size_t>(geometry.window.kernel_size() * kPanelColumns), -1) {}

  /// Computes the offsets for `columns` positions from `first` on; the others see nothing.
  void locate(std::int64_t first, std::int64_t columns);
  /// kPanelColumns offsets for one kernel position; -1: padding.
  const std::int64_t* at(std::int64_t kernel_position) const {
    return offsets_.data() + kernel_position * kPanelColumns;
  }

 private:
  /// The data coordinate on one axis, or -1.
  std::int64_t coordinate(const WindowAxisGeometry& axis, std::int64_t position, std::int64_t kernel_position) const;

  const Window* window_;
  bool transposed_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace mo::ops::reference
