#include <limits>

#include "ops/scaled_dot_product_attention.hpp"
#include "ops/select.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A mask that says which keys count -> one that is added: 0 or -inf.
Replacement added_mask(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::ScaledDotProductAttention>();
  const Value mask = node.input(3);
  if (op.causal) return declined("the mask is ignored");
  if (!mask || mask.type().element_type != ElementType::boolean) return declined("the mask is added already");
  std::vector<Value> inputs = inputs_of(node);
  const Value query = node.input(0);
  inputs[3] = rw.create(ops::Select{}, mask, rw.scalar_like(query, 0),
                        rw.scalar_like(query, -std::numeric_limits<double>::infinity()));
  return rw.create_node(op, inputs, 1).output(0);
}

}  // namespace

void register_boolean_attention_masks(PassRegistry& passes) {
  passes.add(avoid_fault("BooleanAttentionMasks", {.form = "ScaledDotProductAttention with a boolean mask",
                                                   .symptom = "true hides a key in place of showing it",
                                                   .first = "2023.3",
                                                   .last = "2024.6",
                                                   .replacement = "a mask that is added: Select(mask, 0, -inf)"})
                 .add(lowering<ops::ScaledDotProductAttention>("AddedAttentionMask", added_mask)));
}

}  // namespace mo::transformations
