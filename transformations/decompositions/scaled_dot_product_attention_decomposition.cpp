#include "core/registry/pass_registry.hpp"
#include "ops/build/attention.hpp"
#include "ops/scaled_dot_product_attention.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_scaled_dot_product_attention_decomposition(PassRegistry& passes) {
  passes.offer(rewrite("ScaledDotProductAttentionDecomposition")
                   .described("ScaledDotProductAttention(q, k, v, mask, scale, sink)",
                              "SoftMax(q * scale * Transpose(k) + mask) * v",
                              "a boolean mask, or causal: -inf where a key does not count; sink: one more score in the "
                              "SoftMax")
                   .match(pattern::op<ops::ScaledDotProductAttention>())
                   .replace([](const Match& m, Rewriter& rw) -> Replacement {
                     return build::attention_in_parts(rw, m.root().node());
                   }));
}

}  // namespace mo::transformations
