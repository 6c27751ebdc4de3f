#include "ops/reference/mat_mul.hpp"

#include <algorithm>

#include "ops/reference/compute.hpp"
#include "ops/reference/gemm.hpp"

namespace mo::ops::reference {
namespace {

constexpr std::int64_t kManyRows = 4;

/// One matrix product; `a` is interleaved.
template <class C>
void multiply_matrices(const C* a, const C* b, C* out, C* panel, const MatMulGeometry& g) {
  const std::vector<std::int64_t> packed = evenly_spaced(g.depth, kPanelColumns);
  // With few rows, packing takes longer than it saves: the panel is read where it lies, with larger strides.
  const std::vector<std::int64_t> in_place =
      evenly_spaced(g.transpose_b || g.rows >= kManyRows ? 0 : g.depth, g.columns);
  for (std::int64_t first = 0; first < g.columns; first += kPanelColumns) {
    const std::int64_t columns = std::min(kPanelColumns, g.columns - first);
    if (!in_place.empty() && columns == kPanelColumns) {
      multiply_panel(a, g.rows, b + first, in_place, out + first, g.columns, columns);
      continue;
    }
    if (g.transpose_b)
      for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t k = 0; k < g.depth; ++k) panel[k * kPanelColumns + j] = b[(first + j) * g.depth + k];
    else
      for (std::int64_t k = 0; k < g.depth; ++k)
        std::copy_n(b + k * g.columns + first, columns, panel + k * kPanelColumns);
    multiply_panel(a, g.rows, panel, packed, out + first, g.columns, columns);
  }
}

/// Which matrix of an operand belongs to matrix `index` of the result.
std::int64_t matrix_of(std::int64_t index, const Shape& batch, const Shape& own) {
  std::int64_t result = 0;
  std::int64_t stride = 1;
  for (std::size_t i = batch.size(); i-- > 0;) {
    if (own[i] != 1) result += index % batch[i] * stride;
    index /= batch[i];
    stride *= own[i];
  }
  return result;
}

}  // namespace

MatMulGeometry mat_mul_geometry(const Shape& a, const Shape& b, bool transpose_a, bool transpose_b) {
  MatMulGeometry g;
  g.transpose_a = transpose_a && a.size() > 1;
  g.transpose_b = transpose_b && b.size() > 1;
  const Shape left = a.size() == 1 ? Shape{1, a[0]} : a;
  const Shape right = b.size() == 1 ? Shape{b[0], 1} : b;
  const std::size_t m = left.size() - 2;
  const std::size_t n = right.size() - 2;
  g.rows = left[g.transpose_a ? m + 1 : m];
  g.depth = left[g.transpose_a ? m : m + 1];
  g.columns = right[g.transpose_b ? n : n + 1];
  const std::size_t rank = std::max(m, n);
  g.batch_a.assign(rank - m, 1);
  g.batch_a.insert(g.batch_a.end(), left.begin(), left.end() - 2);
  g.batch_b.assign(rank - n, 1);
  g.batch_b.insert(g.batch_b.end(), right.begin(), right.end() - 2);
  for (std::size_t i = 0; i < rank; ++i) g.batch.push_back(g.batch_a[i] == 1 ? g.batch_b[i] : g.batch_a[i]);
  return g;
}

Expected<void> mat_mul(const Tensor& a, const Tensor& b, Tensor& out, bool transpose_a, bool transpose_b) {
  // empty sums: the zeros that are there
  if (out.element_count() == 0 || a.element_count() == 0 || b.element_count() == 0) return {};
  const MatMulGeometry g = mat_mul_geometry(a.shape(), b.shape(), transpose_a, transpose_b);
  const std::int64_t batches = element_count(g.batch).value_or(0);
  MO_ASSIGN(const Tensor left, to_compute(a));
  MO_ASSIGN(const Tensor right, to_compute(b));
  MO_ASSIGN(Tensor panel, Tensor::allocate(left.element_type(), {g.depth, kPanelColumns}));
  MO_ASSIGN(Tensor rows, Tensor::allocate(left.element_type(), {g.rows, g.depth}));
  return compute_into(out, [&](Tensor& target) {
    visit_compute(left.element_type(), [&]<class C>(std::type_identity<C>) {
      const auto result = target.mutable_values<C>();
      const auto scratch = rows.mutable_values<C>();
      const std::vector<std::int64_t> elements = evenly_spaced(g.depth, g.transpose_a ? g.rows : 1);
      std::int64_t in_scratch = -1;
      for (std::int64_t i = 0; i < batches; ++i) {
        const std::int64_t matrix = matrix_of(i, g.batch, g.batch_a);
        if (in_scratch != matrix)
          interleave_rows(left.values<C>().data() + matrix * g.rows * g.depth, g.rows, g.transpose_a ? 1 : g.depth,
                          elements, scratch.data());
        in_scratch = matrix;
        const C* other = right.values<C>().data() + matrix_of(i, g.batch, g.batch_b) * g.depth * g.columns;
        multiply_matrices(scratch.data(), other, result.data() + i * g.rows * g.columns,
                          panel.mutable_values<C>().data(), g);
      }
    });
    return Expected<void>();
  });
}

}  // namespace mo::ops::reference
