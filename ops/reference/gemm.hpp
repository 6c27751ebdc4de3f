#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {

/// Columns of a packed panel, and what is read of each row of any panel is a multiple of it.
inline constexpr std::int64_t kPanelColumns = 64;

/// `count` numbers: 0, step, 2 * step …
std::vector<std::int64_t> evenly_spaced(std::int64_t count, std::int64_t step);

/// Writes a matrix as multiply_panel reads its left operand: sixteen rows at a time (those that are left in the last
/// tile), their first elements side by side, then their second ones, and so on. Element k of row r is
/// from[r * row_step + elements[k]]; `to` has rows * elements.size() elements. One row stays as it is.
template <class C>
void interleave_rows(const C* from, std::int64_t rows, std::int64_t row_step, std::span<const std::int64_t> elements,
                     C* to);

/// out[r, j] = sum over k of left[r, k] * panel[panel_rows[k] + j] for r < rows and j < columns. `left` is interleaved
/// (see above). Of each row of the panel, `columns` elements are read, rounded up to a multiple of kPanelColumns. Each
/// sum runs over k upwards in one accumulator: the same bits whatever the machine, the number of rows or the place of
/// the panel. C: float, double, std::uint32_t, std::uint64_t.
template <class C>
void multiply_panel(const C* left, std::int64_t rows, const C* panel, std::span<const std::int64_t> panel_rows, C* out,
                    std::int64_t out_stride, std::int64_t columns, VectorWidth width = vector_width());

}  // namespace mo::ops::reference
