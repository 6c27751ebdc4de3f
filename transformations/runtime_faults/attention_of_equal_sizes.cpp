#include <algorithm>

#include "ops/mat_mul.hpp"
#include "ops/soft_max.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// A product whose rows the tensor is: attention weights [batch, heads, queries, keys] times values.
bool is_read_by_product(const OutPort& weights) {
  const std::vector<InPort> readers = weights.get_destinations();
  return std::any_of(readers.begin(), readers.end(),
                     [](const InPort& reader) { return reader.node().is<ops::MatMul>() && reader.index() == 0; });
}

/// MatMul(SoftMax(x), v) -> MatMul(Maximum(y, y), v) of the SoftMax y, a copy, when there are as many heads as queries.
/// One kernel computes attention with its Transposes, and mistakes their order when these sizes are equal. A copy
/// inside keeps the ops apart.
template <OpLike T>
Replacement with_copied_weights(const Node& node, Rewriter& rw) {
  const TensorType& type = node.output_type();
  if (!is_real(type.element_type) || type.rank() != 4) return declined("not four dimensions of floating-point values");
  const Dimension& heads = type.shape[1];
  if (!heads.is_known() || heads == Dimension(1) || heads != type.shape[2])
    return declined("the second and third dimension are not known to be equal");
  if (!is_read_by_product(node.output())) return declined("no MatMul reads it as its first input");
  return copied(rw, rw.create(*node.as<T>(), node.input(0)));
}

}  // namespace

void register_attention_of_equal_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("AttentionOfEqualSizes",
                         {.form = "MatMul, SoftMax, MatMul (attention) with as many heads as queries",
                          .symptom = "wrong numbers, where some of the inputs or the output are transposed",
                          .first = "2023.0",
                          .last = "latest",
                          .replacement = "Maximum(x, x) as a copy after the SoftMax"})
                 .run_after({"AttentionOfUnlikeSizes"})  // which writes this form
                 .add(lowering<ops::v1::SoftMax>("WithCopiedWeights", with_copied_weights<ops::v1::SoftMax>))
                 .add(lowering<ops::v8::SoftMax>("WithCopiedWeightsV8", with_copied_weights<ops::v8::SoftMax>)));
}

}  // namespace mo::transformations
