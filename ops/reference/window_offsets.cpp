#include "ops/reference/window_offsets.hpp"

namespace mo::ops::reference {

std::int64_t WindowOffsets::coordinate(const WindowAxisGeometry& axis, std::int64_t position,
                                       std::int64_t kernel_position) const {
  if (!transposed_) {
    const std::int64_t at = axis.start(position) + kernel_position * axis.dilation;
    return at >= 0 && at < axis.in ? at : -1;
  }
  const std::int64_t at = position + axis.pad_begin - kernel_position * axis.dilation;
  return at >= 0 && at % axis.stride == 0 && at / axis.stride < axis.in ? at / axis.stride : -1;
}

void WindowOffsets::locate(std::int64_t first, std::int64_t columns) {
  const auto& [z, y, x] = window_->axes;
  for (std::int64_t j = 0; j < kPanelColumns; ++j) {
    std::int64_t* target = offsets_.data() + j;
    if (j >= columns) {
      for (std::int64_t k = 0; k < window_->kernel_size(); ++k) target[k * kPanelColumns] = -1;
      continue;
    }
    const std::int64_t position = first + j;
    const std::int64_t ox = position % x.out;
    const std::int64_t oy = position / x.out % y.out;
    const std::int64_t oz = position / x.out / y.out;
    for (std::int64_t kz = 0; kz < z.kernel; ++kz) {
      const std::int64_t iz = coordinate(z, oz, kz);
      for (std::int64_t ky = 0; ky < y.kernel; ++ky) {
        const std::int64_t iy = coordinate(y, oy, ky);
        for (std::int64_t kx = 0; kx < x.kernel; ++kx, target += kPanelColumns) {
          const std::int64_t ix = coordinate(x, ox, kx);
          *target = iz < 0 || iy < 0 || ix < 0 ? -1 : (iz * y.in + iy) * x.in + ix;
        }
      }
    }
  }
}

}  // namespace mo::ops::reference
