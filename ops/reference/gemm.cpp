#include "ops/reference/gemm.hpp"

#include <algorithm>

#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {
namespace {

template <class C>
struct Product {
  const C* left;
  const C* panel;
  const std::int64_t* panel_rows;
  std::int64_t depth;
  C* out;
  std::int64_t out_stride;
};

/// The sums of a tile stay in registers: kRows times two vectors of kBytes. Vectors lie over the columns only: no sum
/// is split, so their width does not change a bit.
template <class C, int kBytes, int kRows>
[[gnu::always_inline]] inline void multiply_tile(const Product<C>& p, std::int64_t row, std::int64_t column,
                                                 std::int64_t columns) {
  using Vector [[gnu::vector_size(kBytes)]] = C;
  using InMemory [[gnu::vector_size(kBytes), gnu::aligned(alignof(C)), gnu::may_alias]] = C;
  constexpr std::int64_t kLanes = kBytes / sizeof(C);
  Vector sums[kRows][2];
  for (auto& sum : sums) sum[0] = sum[1] = Vector{};
  const C* const left = p.left + row * p.depth;
  const C* const panel = p.panel + column;
  for (std::int64_t k = 0; k < p.depth; ++k) {
    const C* const values = panel + p.panel_rows[k];
    const Vector first = *reinterpret_cast<const InMemory*>(values);
    const Vector second = *reinterpret_cast<const InMemory*>(values + kLanes);
    for (int r = 0; r < kRows; ++r) {
      const C factor = left[r * p.depth + k];
      sums[r][0] += first * factor;
      sums[r][1] += second * factor;
    }
  }
  for (int r = 0; r < kRows; ++r) {
    C some[2 * kLanes];
    C* const out = p.out + (row + r) * p.out_stride + column;
    C* const target = columns < 2 * kLanes ? some : out;
    *reinterpret_cast<InMemory*>(target) = sums[r][0];
    *reinterpret_cast<InMemory*>(target + kLanes) = sums[r][1];
    if (target == some) std::copy(some, some + columns, out);
  }
}

template <class C, int kBytes>
[[gnu::always_inline]] inline void multiply_tiles(const Product<C>& p, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t kColumns = 2 * kBytes / sizeof(C);
  constexpr int kRows = kBytes == 64 ? 8 : 4;  // that the registers hold
  static_assert(kPanelColumns % kColumns == 0);
  for (std::int64_t column = 0; column < columns; column += kColumns) {
    const std::int64_t left = columns - column;
    std::int64_t row = 0;
    for (; row + kRows <= rows; row += kRows) multiply_tile<C, kBytes, kRows>(p, row, column, left);
    for (; row + 2 <= rows; row += 2) multiply_tile<C, kBytes, 2>(p, row, column, left);
    if (row < rows) multiply_tile<C, kBytes, 1>(p, row, column, left);
  }
}

template <class C>
void multiply(const Product<C>& p, std::int64_t rows, std::int64_t columns) {
  run_vectorised([&](auto bytes) { multiply_tiles<C, bytes()>(p, rows, columns); });
}

}  // namespace

std::vector<std::int64_t> panel_rows(std::int64_t depth, std::int64_t stride) {
  std::vector<std::int64_t> rows;
  for (std::int64_t k = 0; k < depth; ++k) rows.push_back(k * stride);
  return rows;
}

template <class C>
void multiply_panel(const C* left, std::int64_t rows, const C* panel, std::span<const std::int64_t> panel_rows, C* out,
                    std::int64_t out_stride, std::int64_t columns) {
  multiply<C>({left, panel, panel_rows.data(), std::ssize(panel_rows), out, out_stride}, rows, columns);
}

template void multiply_panel(const float*, std::int64_t, const float*, std::span<const std::int64_t>, float*,
                             std::int64_t, std::int64_t);
template void multiply_panel(const double*, std::int64_t, const double*, std::span<const std::int64_t>, double*,
                             std::int64_t, std::int64_t);
template void multiply_panel(const std::uint32_t*, std::int64_t, const std::uint32_t*, std::span<const std::int64_t>,
                             std::uint32_t*, std::int64_t, std::int64_t);
template void multiply_panel(const std::uint64_t*, std::int64_t, const std::uint64_t*, std::span<const std::int64_t>,
                             std::uint64_t*, std::int64_t, std::int64_t);

}  // namespace mo::ops::reference
