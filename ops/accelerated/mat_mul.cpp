#include "ops/mat_mul.hpp"

#include "core/op/kernel_table.hpp"
#include "ops/accelerated/engine.hpp"
#include "ops/reference/mat_mul.hpp"

namespace mo::ops::accelerated {
namespace {

using dnnl::memory;

/// [batch…, rows, columns] over row-major bytes, or over the bytes of the transposed matrix.
memory::desc matrices(const Shape& batch, std::int64_t rows, std::int64_t columns, bool transposed) {
  memory::dims dims(batch.begin(), batch.end());
  dims.push_back(rows);
  dims.push_back(columns);
  const std::size_t rank = dims.size();
  memory::dims strides(rank);
  strides[rank - 1] = transposed ? rows : 1;
  strides[rank - 2] = transposed ? 1 : columns;
  std::int64_t stride = rows * columns;
  for (std::size_t i = rank - 2; i-- > 0;) {
    strides[i] = stride;
    stride *= dims[i];
  }
  return {dims, memory::data_type::f32, strides};
}

bool multiply(const Tensor& a, const Tensor& b, Tensor& out, const reference::MatMulGeometry& g) {
  const memory::desc left = matrices(g.batch_a, g.rows, g.depth, g.transpose_a);
  const memory::desc right = matrices(g.batch_b, g.depth, g.columns, g.transpose_b);
  const memory::desc result = matrices(g.batch, g.rows, g.columns, false);
  const dnnl::matmul::primitive_desc primitive(dnnl::matmul::desc(left, right, result), engine());
  dnnl::matmul(primitive).execute(
      stream(), {{DNNL_ARG_SRC, view(left, a)}, {DNNL_ARG_WEIGHTS, view(right, b)}, {DNNL_ARG_DST, view(result, out)}});
  stream().wait();
  return true;
}

Expected<bool> mat_mul(const void* payload, EvalContext& ctx) {
  const MatMul& op = *static_cast<const MatMul*>(payload);
  const Tensor& a = ctx.input(0);
  const Tensor& b = ctx.input(1);
  Tensor& out = ctx.output(0);
  if (!is_accelerated(a.element_type()) || a.element_count() == 0 || b.element_count() == 0 || out.element_count() == 0)
    return false;
  const reference::MatMulGeometry g = reference::mat_mul_geometry(a.shape(), b.shape(), op.transpose_a, op.transpose_b);
  if (g.batch.size() + 2 > DNNL_MAX_NDIMS) return false;
  MO_ASSIGN(const Tensor left, reference::to_compute(a));
  MO_ASSIGN(const Tensor right, reference::to_compute(b));
  bool done = false;
  MO_TRY(reference::compute_into(out, [&](Tensor& target) -> Expected<void> {
    MO_ASSIGN(done, guarded([&] { return multiply(left, right, target, g); }));
    return {};
  }));
  return done;
}

}  // namespace

void add_mat_mul(KernelTable& table) { table.add(OpType::of<MatMul>(), mat_mul); }

}  // namespace mo::ops::accelerated
