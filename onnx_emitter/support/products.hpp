#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {

/// Multiplies along one axis of `rank` by a matrix [length, result].
inline Value product_along(Translation& t, const Value& value, std::int64_t axis, std::int64_t rank,
                           const Value& matrix) {
  if (axis == rank - 1) return t.op("MatMul", {value, matrix});
  std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<std::size_t>(axis)], order.back());
  return t.transposed(t.op("MatMul", {t.transposed(value, order), matrix}), order);
}

}  // namespace mo::onnx_emitter
