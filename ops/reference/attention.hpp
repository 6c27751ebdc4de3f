#pragma once

#include <optional>

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// softmax(query * key^T * scale + mask) * value; shapes fit (ops/scaled_dot_product_attention.hpp).
struct Attention {
  const Tensor& query;               ///< [N..., L, E], real
  const Tensor& key;                 ///< [N..., S, E]
  const Tensor& value;               ///< [N..., S, Ev]
  const Tensor* mask = {};           ///< boolean, or added to the scores; none: all keys count
  const Tensor* sink = {};           ///< as many dimensions as `query`, the last one is 1: a score without a value
  std::optional<double> scale = {};  ///< 1 / sqrt(E) without it
  bool causal = false;               ///< query i sees the keys 0 to i only; `mask` is ignored
};

/// Computes in f32; f64 in f64. Fails only when there is no memory.
Expected<void> attention(const Attention& attention, Tensor& out);

}  // namespace mo::ops::reference
