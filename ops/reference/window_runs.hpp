#pragma once

#include <array>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ops/reference/window.hpp"

namespace mo::ops::reference {

/// Neighbouring result positions that one kernel position lets see neighbouring elements of a data plane: position
/// `column` + i * column_step of the block sees element `offset` + i * offset_step, for i < count.
struct WindowRun {
  std::int64_t kernel_position = 0;
  std::int64_t column = 0;
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

/// What a block of neighbouring result positions sees of a data plane. Whatever no run names is padding.
class WindowRuns {
 public:
  /// `transposed`: the window slides over the result.
  explicit WindowRuns(const Window& window, bool transposed = false);

  /// Finds the runs of the `columns` positions from `first` on. Those of one position come in the order of the kernel.
  void locate(std::int64_t first, std::int64_t columns);
  std::span<const WindowRun> runs() const { return runs_; }
  /// Whether neighbours see neighbours.
  bool is_dense() const { return column_step_ == 1 && offset_step_ == 1; }
  /// Calls fn(column, offset) for each position of a run. The usual steps are constants, for the sake of vectors.
  template <class Fn>
  void for_each_position(WindowRun run, Fn fn) const {  // a copy, which nothing that `fn` writes can change
    const auto walk = [&](auto column_step, auto offset_step) {
      for (std::int64_t i = 0; i < run.count; ++i) fn(run.column + i * column_step, run.offset + i * offset_step);
    };
    constexpr auto one = std::integral_constant<std::int64_t, 1>{};
    constexpr auto two = std::integral_constant<std::int64_t, 2>{};
    if (is_dense())
      walk(one, one);
    else if (column_step_ == 1 && offset_step_ == 2)
      walk(one, two);
    else
      walk(std::int64_t{column_step_}, std::int64_t{offset_step_});
  }

 private:
  /// The data coordinate on one axis, or -1.
  std::int64_t coordinate(const WindowAxisGeometry& axis, std::int64_t position, std::int64_t kernel_position) const;
  /// The run of `length` positions of one row, from `position` on, at kernel position `kernel_position` of the row.
  WindowRun run_of_row(std::int64_t position, std::int64_t length, std::int64_t kernel_position) const;

  /// From and to which kernel position on one axis any of `length` positions sees data: windows may be far larger.
  std::pair<std::int64_t, std::int64_t> seeing(const WindowAxisGeometry& axis, std::int64_t position,
                                               std::int64_t length) const;
  /// Modulo 2^64: it is not asked of windows that are larger than memory.
  std::int64_t position_of(const std::array<std::int64_t, 3>& places) const;

  const Window* window_;
  bool transposed_;
  std::int64_t column_step_;
  std::int64_t offset_step_;
  std::vector<WindowRun> row_runs_;  ///< of one row of the kernel
  std::vector<WindowRun> runs_;
};

}  // namespace mo::ops::reference
