#include "ops/build/attention.hpp"
#include "ops/scaled_dot_product_attention.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// ScaledDotProductAttention -> MatMul, SoftMax, MatMul, when there are as many heads as queries: the kernel of
/// AttentionOfEqualSizes computes the op, too, and that row copies the weights then.
Replacement attention_of_equal_sizes_in_parts(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.output_type().shape;  // [batch, heads, queries, size]
  if (!shape.has_rank() || shape.size() != 4) return declined("not four dimensions");
  if (!shape[1].is_known() || shape[1] == Dimension(1) || shape[1] != shape[2])
    return declined("the second and third dimension are not known to be equal");
  return build::attention_in_parts(rw, node);
}

}  // namespace

void register_attention_op_of_equal_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("AttentionOpOfEqualSizes",
                         {.form = "ScaledDotProductAttention with as many heads as queries",
                          .symptom = "wrong numbers, where some of the inputs or the output are transposed",
                          .first = "2023.3",
                          .last = "latest",
                          .replacement = "MatMul, Select or Add of the mask, SoftMax, MatMul (AttentionOfEqualSizes)"})
                 .run_before({"AttentionOfEqualSizes"})
                 .add(lowering<ops::ScaledDotProductAttention>("AttentionOfEqualSizesInParts",
                                                               attention_of_equal_sizes_in_parts)));
}

}  // namespace mo::transformations
