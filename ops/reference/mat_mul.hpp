#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// A batched product with everything resolved: `a` and `b` as matrices (1-D inputs got their unit dimension), batches
/// broadcast.
struct MatMulGeometry {
  std::int64_t rows = 1;
  std::int64_t depth = 1;
  std::int64_t columns = 1;
  bool transpose_a = false;
  bool transpose_b = false;
  Shape batch;
  Shape batch_a;  ///< as long as `batch`, with ones in front
  Shape batch_b;
};
MatMulGeometry mat_mul_geometry(const Shape& a, const Shape& b, bool transpose_a, bool transpose_b);

/// Rules of MatMul of the IR; shapes fit. Fails only when there is no memory.
Expected<void> mat_mul(const Tensor& a, const Tensor& b, Tensor& out, bool transpose_a, bool transpose_b);

}  // namespace mo::ops::reference
