#pragma once

#include "core/op.hpp"

namespace mo::ops {

/// Attention: softmax(query * key^T * scale + mask) * value, for queries [N..., L, E], keys [N..., S, E] and values
/// [N..., S, Ev]; the dimensions N broadcast as numpy's do. The result is [N..., L, Ev].
/// Inputs: 0 query, 1 key, 2 value; 3 (may be missing) the mask, [N..., L or 1, S or 1] or a scalar: a boolean that
/// says which keys count, or numbers that are added; 4 (may be missing) the scale, one number: 1 / sqrt(E) without it;
/// 5 (may be missing) the sink, as many dimensions as the query, [N..., L or 1, 1]: one more score for each query,
/// which has a weight and no value. A query without any key that counts gives NaN.
struct ScaledDotProductAttention {
  static constexpr OpId id{"ScaledDotProductAttention", 13};
  bool causal = false;  ///< query i sees the keys 0 to i only, and the mask is ignored
  static constexpr auto attributes = Attributes{attr("causal", &ScaledDotProductAttention::causal)};
  Expected<void> infer(InferContext& ctx) const;
  Expected<void> evaluate(EvalContext& ctx) const;
};

}  // namespace mo::ops
