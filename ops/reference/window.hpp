#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace mo::ops::reference {

/// One spatial axis of a sliding window: position `o` of the result sees the elements o * stride - pad_begin + k *
/// dilation of the data.
struct WindowAxisGeometry {
  std::int64_t in = 1;
  std::int64_t out = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_begin = 0;
  std::int64_t pad_end = 0;

  std::int64_t start(std::int64_t position) const { return position * stride - pad_begin; }
  /// The kernel positions [first, last) that lie in [low, high) of the data, for a window that begins at `start`.
  std::int64_t first(std::int64_t start, std::int64_t low) const {
    return start >= low ? 0 : std::min(kernel, (low - start + dilation - 1) / dilation);
  }
  std::int64_t last(std::int64_t start, std::int64_t high) const {
    return start >= high ? 0 : std::min(kernel, (high - start + dilation - 1) / dilation);
  }
};

/// Three spatial axes (depth, height, width); those that the data does not have are of size 1.
struct Window {
  std::array<WindowAxisGeometry, 3> axes;

  std::int64_t in_size() const { return axes[0].in * axes[1].in * axes[2].in; }
  std::int64_t out_size() const { return axes[0].out * axes[1].out * axes[2].out; }
  std::int64_t kernel_size() const { return axes[0].kernel * axes[1].kernel * axes[2].kernel; }
};

}  // namespace mo::ops::reference
