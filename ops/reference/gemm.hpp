#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mo::ops::reference {

inline constexpr std::int64_t kPanelColumns = 32;

/// Where the rows of a panel begin that are `stride` elements apart; those of a packed one follow each other.
std::vector<std::int64_t> panel_rows(std::int64_t depth, std::int64_t stride = kPanelColumns);

/// out[r, j] = sum over k of left[r, k] * panel[panel_rows[k] + j] for r < rows and j < columns <= kPanelColumns.
/// `left` is row-major without gaps; each row of the panel has kPanelColumns elements, whatever `columns` is. Each sum
/// runs over k upwards in one accumulator: the same bits whatever the machine, the number of rows or the place of the
/// panel. C: float, double, std::uint32_t, std::uint64_t.
template <class C>
void multiply_panel(const C* left, std::int64_t rows, const C* panel, std::span<const std::int64_t> panel_rows, C* out,
                    std::int64_t out_stride, std::int64_t columns);

}  // namespace mo::ops::reference
