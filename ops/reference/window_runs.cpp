#include "ops/reference/window_runs.hpp"

namespace mo::ops::reference {
namespace {

/// Most strides are 1, and a division takes longer than all else here.
std::int64_t divided_up(std::int64_t a, std::int64_t b) { return b == 1 ? a : (a + b - 1) / b; }

}  // namespace

WindowRuns::WindowRuns(const Window& window, bool transposed)
    : window_(&window),
      transposed_(transposed),
      column_step_(transposed ? window.axes[2].stride : 1),
      offset_step_(transposed ? 1 : window.axes[2].stride) {}

std::int64_t WindowRuns::coordinate(const WindowAxisGeometry& axis, std::int64_t position,
                                    std::int64_t kernel_position) const {
  if (!transposed_) {
    const std::int64_t at = axis.start(position) + kernel_position * axis.dilation;
    return at >= 0 && at < axis.in ? at : -1;
  }
  const std::int64_t at = position + axis.pad_begin - kernel_position * axis.dilation;
  return at >= 0 && at % axis.stride == 0 && at / axis.stride < axis.in ? at / axis.stride : -1;
}

WindowRun WindowRuns::run_of_row(std::int64_t position, std::int64_t length, std::int64_t kernel_position) const {
  const WindowAxisGeometry& x = window_->axes[2];
  WindowRun run{.kernel_position = kernel_position};
  if (transposed_) {
    const std::int64_t at = position + x.pad_begin - kernel_position * x.dilation;
    run.offset = at > 0 ? divided_up(at, x.stride) : 0;
    run.column = run.offset * x.stride - at;
    run.count = std::min(divided_up(length - run.column, x.stride), x.in - run.offset);
  } else {
    const std::int64_t at = x.start(position) + kernel_position * x.dilation;
    run.column = at < 0 ? divided_up(-at, x.stride) : 0;
    run.offset = at + run.column * x.stride;
    run.count = std::min(length - run.column, divided_up(x.in - run.offset, x.stride));
  }
  return run;
}

std::pair<std::int64_t, std::int64_t> WindowRuns::seeing(const WindowAxisGeometry& axis, std::int64_t position,
                                                         std::int64_t length) const {
  if (transposed_) return {0, axis.kernel};
  return {axis.first(axis.start(position + length - 1), 0), axis.last(axis.start(position), axis.in)};
}

std::int64_t WindowRuns::position_of(const std::array<std::int64_t, 3>& places) const {
  std::uint64_t position = 0;
  for (std::size_t i = 0; i < 3; ++i)
    position = position * static_cast<std::uint64_t>(window_->axes[i].kernel) + static_cast<std::uint64_t>(places[i]);
  return static_cast<std::int64_t>(position);
}

void WindowRuns::locate(std::int64_t first, std::int64_t columns) {
  runs_.clear();
  const auto& [z, y, x] = window_->axes;
  for (std::int64_t column = 0; column < columns;) {
    const std::int64_t row = (first + column) / x.out;
    const std::int64_t place = first + column - row * x.out;
    const std::int64_t length = std::min(columns - column, x.out - place);
    row_runs_.clear();
    const auto [x_first, x_last] = seeing(x, place, length);
    for (std::int64_t kx = x_first; kx < x_last; ++kx)
      if (const WindowRun run = run_of_row(place, length, kx); run.count > 0) row_runs_.push_back(run);
    const auto [z_first, z_last] = seeing(z, row / y.out, 1);
    const auto [y_first, y_last] = seeing(y, row % y.out, 1);
    for (std::int64_t kz = z_first; kz < z_last; ++kz)
      for (std::int64_t ky = y_first; ky < y_last; ++ky) {
        const std::int64_t iz = coordinate(z, row / y.out, kz);
        const std::int64_t iy = coordinate(y, row % y.out, ky);
        if (iz < 0 || iy < 0) continue;
        for (WindowRun run : row_runs_) {
          run.kernel_position = position_of({kz, ky, run.kernel_position});
          run.column += column;
          run.offset += (iz * y.in + iy) * x.in;
          runs_.push_back(run);
        }
      }
    column += length;
  }
}

}  // namespace mo::ops::reference
