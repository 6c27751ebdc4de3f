#include "ops/build/attention.hpp"
#include "ops/scaled_dot_product_attention.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

const Dimension& from_the_back(const PartialShape& shape, std::size_t back) { return shape[shape.size() - back]; }

bool have_same_batch(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || a.size() != b.size()) return false;
  for (std::size_t i = 0; i + 2 < a.size(); ++i)
    if (!a[i].same_value(b[i])) return false;
  return true;
}

/// Along its last two dimensions.
bool stretches_mask(const Node& node) {
  if (node.as<ops::ScaledDotProductAttention>()->causal || !node.input(3)) return false;
  const PartialShape& mask = node.input_type(3).shape;
  if (!mask.has_rank() || mask.size() < 2) return false;
  const auto stretches = [&](std::size_t back, const PartialShape& of) {
    const Dimension one(1);
    return from_the_back(mask, back) == one && of.has_rank() && from_the_back(of, 2) != one;
  };
  return stretches(1, node.input_type(1).shape) || stretches(2, node.input_type(0).shape);
}

Replacement in_parts(const Node& node, Rewriter& rw) {
  const PartialShape& query = node.input_type(0).shape;
  const PartialShape& key = node.input_type(1).shape;
  const PartialShape& value = node.input_type(2).shape;
  const bool are_alike = have_same_batch(query, key) && have_same_batch(key, value) &&
                         from_the_back(query, 1).same_value(from_the_back(value, 1));
  const bool are_known = query.is_static() && key.is_static() && value.is_static();
  if ((are_alike || are_known) && !stretches_mask(node)) return declined("the sizes are alike");
  return build::attention_in_parts(rw, node);
}

}  // namespace

void register_attention_of_unlike_sizes(PassRegistry& passes) {
  passes.add(
      avoid_fault(
          "AttentionOfUnlikeSizes",
          {.form = "ScaledDotProductAttention of unknown sizes, where batches, or lengths of queries and values, "
                   "may differ; with a mask that has one row or column",
           .symptom = "an error during inference; the model is not read",
           .first = "2023.3",
           .last = "2023.3",
           .replacement = "MatMul, Select or Add of the mask, SoftMax, MatMul"})
          .add(lowering<ops::ScaledDotProductAttention>("AttentionInParts", in_parts)));
}

}  // namespace mo::transformations
