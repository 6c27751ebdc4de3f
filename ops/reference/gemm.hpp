#pragma once

#include <cstdint>

namespace mo::ops::reference {

/// Columns of a packed panel: element (k, j) of a panel is at k * kPanelColumns + j.
inline constexpr std::int64_t kPanelColumns = 8;

/// out[r, j] = sum over k of left[r, k] * panel[k, j] for r < rows and j < columns <= kPanelColumns; `left` is
/// row-major without gaps. Each sum runs over k upwards in one accumulator: the same bits whatever the machine, the
/// number of rows or the place of the panel. C: float, double, std::uint64_t.
template <class C>
void multiply_panel(const C* left, std::int64_t rows, std::int64_t depth, const C* panel, C* out,
                    std::int64_t out_stride, std::int64_t columns);

}  // namespace mo::ops::reference
