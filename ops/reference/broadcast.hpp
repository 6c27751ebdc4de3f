#pragma once

#include <array>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// How to walk operands that are stretched (numpy rules) to one output: neighbouring dimensions that all operands walk
/// alike are merged and dimensions of size 1 are dropped, so equal shapes give one row and a bias gives one row per
/// channel. There is at least one dimension; the strides of the last one are 0 or 1.
struct BroadcastPlan {
  Shape dims;
  std::vector<std::vector<std::int64_t>> strides;  ///< by operand, then by dimension

  /// Whether operand `i` advances inside of a row.
  bool advances(std::size_t i) const { return strides[i].back() != 0; }
};

/// Every operand must broadcast to `out` (asserted), which must not be empty.
BroadcastPlan plan_broadcast(const Shape& out, const std::vector<const Shape*>& operands);

/// Calls `row(output_offset, operand_offsets, length)` for the innermost stretches in order.
template <std::size_t N, class Row>
void for_each_row(const BroadcastPlan& plan, Row row) {
  const std::size_t inner = plan.dims.size() - 1;
  const std::int64_t length = plan.dims[inner];
  std::vector<std::int64_t> index(inner);
  std::array<std::int64_t, N> at{};
  std::int64_t out = 0;
  const auto advance = [&] {
    for (std::size_t d = inner; d-- > 0;) {
      if (++index[d] < plan.dims[d]) {
        for (std::size_t n = 0; n < N; ++n) at[n] += plan.strides[n][d];
        return true;
      }
      index[d] = 0;
      for (std::size_t n = 0; n < N; ++n) at[n] -= plan.strides[n][d] * (plan.dims[d] - 1);
    }
    return false;
  };
  do {
    row(out, at, length);
    out += length;
  } while (advance());
}

/// out[…] = fn(a[…], b[…]) under numpy broadcasting. Any element types.
template <class A, class B, class Out, class Fn>
void broadcast_binary(const A* a, const Shape& a_shape, const B* b, const Shape& b_shape, Out* out,
                      const Shape& out_shape, Fn fn) {
  if (element_count(out_shape).value_or(0) == 0) return;
  const BroadcastPlan plan = plan_broadcast(out_shape, {&a_shape, &b_shape});
  const bool a_moves = plan.advances(0);
  const bool b_moves = plan.advances(1);
  for_each_row<2>(plan, [&](std::int64_t start, const std::array<std::int64_t, 2>& at, std::int64_t length) {
    const A* x = a + at[0];
    const B* y = b + at[1];
    Out* z = out + start;
    if (a_moves && b_moves) {
      for (std::int64_t i = 0; i < length; ++i) z[i] = fn(x[i], y[i]);
    } else if (a_moves) {
      const B fixed = *y;  // a copy: `out` cannot alias it
      for (std::int64_t i = 0; i < length; ++i) z[i] = fn(x[i], fixed);
    } else if (b_moves) {
      const A fixed = *x;
      for (std::int64_t i = 0; i < length; ++i) z[i] = fn(fixed, y[i]);
    } else {
      for (std::int64_t i = 0; i < length; ++i) z[i] = fn(*x, *y);
    }
  });
}

}  // namespace mo::ops::reference
