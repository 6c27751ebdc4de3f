#include "ops/reference/gemm.hpp"

#include <algorithm>

namespace mo::ops::reference {
namespace {

constexpr std::int64_t kTileRows = 16;

template <class C>
struct Product {
  const C* left;
  std::int64_t rows;
  const C* panel;
  const std::int64_t* panel_rows;
  std::int64_t depth;
  C* out;
  std::int64_t out_stride;
  std::int64_t columns;
};

/// The sums of kRows rows and some vectors of kBytes stay in registers. Vectors lie over the columns only: no sum is
/// split, so their width does not change a bit. `left`: of the first row; neighbours in a row lie `left_step` apart.
template <class C, int kBytes, int kRows, int kVectors>
[[gnu::always_inline]] inline void multiply_tile(const Product<C>& p, const C* left, std::int64_t left_step, C* out,
                                                 std::int64_t column) {
  using Vector [[gnu::vector_size(kBytes)]] = C;
  using InMemory [[gnu::vector_size(kBytes), gnu::aligned(alignof(C)), gnu::may_alias]] = C;
  constexpr std::int64_t kLanes = kBytes / sizeof(C);
  static_assert(kPanelColumns % (kVectors * kLanes) == 0);
  Vector sums[kRows][kVectors];
  for (auto& row : sums)
    for (Vector& sum : row) sum = Vector{};
  const C* const panel = p.panel + column;
  for (std::int64_t k = 0; k < p.depth; ++k, left += left_step) {
    Vector values[kVectors];
    for (int v = 0; v < kVectors; ++v)
      values[v] = *reinterpret_cast<const InMemory*>(panel + p.panel_rows[k] + v * kLanes);
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v) sums[r][v] += values[v] * left[r];
  }
  const std::int64_t columns = p.columns - column;
  for (int r = 0; r < kRows; ++r) {
    C some[kVectors * kLanes];
    C* const row = out + r * p.out_stride + column;
    C* const target = columns < kVectors * kLanes ? some : row;
    for (int v = 0; v < kVectors; ++v) *reinterpret_cast<InMemory*>(target + v * kLanes) = sums[r][v];
    if (target == some) std::copy_n(some, columns, row);
  }
}

/// Rows of a tile, from `row` on, as long as there are kRows of them.
template <class C, int kBytes, int kRows, int kVectors>
[[gnu::always_inline]] inline void multiply_rows(const Product<C>& p, const C* left, std::int64_t tile_rows, C* out,
                                                 std::int64_t& row) {
  constexpr std::int64_t kColumns = kVectors * kBytes / sizeof(C);
  for (; row + kRows <= tile_rows; row += kRows)
    for (std::int64_t column = 0; column < p.columns; column += kColumns)
      multiply_tile<C, kBytes, kRows, kVectors>(p, left + row, tile_rows, out + row * p.out_stride, column);
}

/// With 32 registers, sixteen sums of one vector are fastest: each element of `left` is used once, which needs no
/// instruction of its own. With 16 registers, two vectors share the elements of up to six rows.
template <class C, int kBytes>
[[gnu::always_inline]] inline void multiply_tiles(const Product<C>& p) {
  for (std::int64_t tile = 0; tile < p.rows; tile += kTileRows) {
    const C* const left = p.left + tile * p.depth;
    C* const out = p.out + tile * p.out_stride;
    const std::int64_t rows = std::min(kTileRows, p.rows - tile);
    std::int64_t row = 0;
    if constexpr (kBytes == 64) {
      multiply_rows<C, kBytes, 16, 1>(p, left, rows, out, row);
      multiply_rows<C, kBytes, 8, 1>(p, left, rows, out, row);
      multiply_rows<C, kBytes, 4, 4>(p, left, rows, out, row);
      multiply_rows<C, kBytes, 3, 4>(p, left, rows, out, row);
    } else {
      if constexpr (kBytes == 32) multiply_rows<C, kBytes, 6, 2>(p, left, rows, out, row);
      multiply_rows<C, kBytes, 4, 2>(p, left, rows, out, row);
      multiply_rows<C, kBytes, 3, 2>(p, left, rows, out, row);
    }
    multiply_rows<C, kBytes, 2, 4>(p, left, rows, out, row);
    multiply_rows<C, kBytes, 1, 4>(p, left, rows, out, row);
  }
}

template <class C>
void multiply(const Product<C>& p, VectorWidth width) {
  run_vectorised([&](auto bytes) { multiply_tiles<C, bytes()>(p); }, width);
}

}  // namespace

std::vector<std::int64_t> evenly_spaced(std::int64_t count, std::int64_t step) {
  std::vector<std::int64_t> places;
  for (std::int64_t k = 0; k < count; ++k) places.push_back(k * step);
  return places;
}

template <class C>
void interleave_rows(const C* from, std::int64_t rows, std::int64_t row_step, std::span<const std::int64_t> elements,
                     C* to) {
  for (std::int64_t tile = 0; tile < rows; tile += kTileRows) {
    const std::int64_t end = std::min(tile + kTileRows, rows);
    for (const std::int64_t element : elements)
      for (std::int64_t row = tile; row < end; ++row) *to++ = from[row * row_step + element];
  }
}

template <class C>
void multiply_panel(const C* left, std::int64_t rows, const C* panel, std::span<const std::int64_t> panel_rows, C* out,
                    std::int64_t out_stride, std::int64_t columns, VectorWidth width) {
  multiply<C>({left, rows, panel, panel_rows.data(), std::ssize(panel_rows), out, out_stride, columns}, width);
}

#define MO_PRODUCTS_OF(C)                                                                                         \
  template void interleave_rows(const C*, std::int64_t, std::int64_t, std::span<const std::int64_t>, C*);         \
  template void multiply_panel(const C*, std::int64_t, const C*, std::span<const std::int64_t>, C*, std::int64_t, \
                               std::int64_t, VectorWidth)
MO_PRODUCTS_OF(float);
MO_PRODUCTS_OF(double);
MO_PRODUCTS_OF(std::uint32_t);
MO_PRODUCTS_OF(std::uint64_t);
#undef MO_PRODUCTS_OF

}  // namespace mo::ops::reference
