#include "ops/reference/gemm.hpp"

#include <Eigen/Core>

namespace mo::ops::reference {

template <class C>
void multiply_panel(const C* left, std::int64_t rows, std::int64_t depth, const C* panel, C* out,
                    std::int64_t out_stride, std::int64_t columns) {
  // Vectors over the columns only: no sum is split, so vectorisation does not change a bit.
  using Row = Eigen::Array<C, kPanelColumns, 1>;
  const auto panel_row = [panel](std::int64_t k) { return Eigen::Map<const Row>(panel + k * kPanelColumns); };
  const auto store = [&](std::int64_t r, const Row& sums) {
    for (std::int64_t j = 0; j < columns; ++j) out[r * out_stride + j] = sums[j];
  };
  std::int64_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const C* a0 = left + r * depth;
    const C* a1 = a0 + depth;
    const C* a2 = a1 + depth;
    const C* a3 = a2 + depth;
    Row s0 = Row::Zero();
    Row s1 = Row::Zero();
    Row s2 = Row::Zero();
    Row s3 = Row::Zero();
    for (std::int64_t k = 0; k < depth; ++k) {
      const Row b = panel_row(k);
      s0 += b * a0[k];
      s1 += b * a1[k];
      s2 += b * a2[k];
      s3 += b * a3[k];
    }
    store(r, s0);
    store(r + 1, s1);
    store(r + 2, s2);
    store(r + 3, s3);
  }
  for (; r < rows; ++r) {
    const C* a = left + r * depth;
    Row sums = Row::Zero();
    for (std::int64_t k = 0; k < depth; ++k) sums += panel_row(k) * a[k];
    store(r, sums);
  }
}

template void multiply_panel(const float*, std::int64_t, std::int64_t, const float*, float*, std::int64_t,
                             std::int64_t);
template void multiply_panel(const double*, std::int64_t, std::int64_t, const double*, double*, std::int64_t,
                             std::int64_t);
template void multiply_panel(const std::uint64_t*, std::int64_t, std::int64_t, const std::uint64_t*, std::uint64_t*,
                             std::int64_t, std::int64_t);

}  // namespace mo::ops::reference
