#include "ops/fake_quantize.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/quantization_arithmetic.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement limits_out_of_order(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::FakeQuantize>();
  if (op.auto_broadcast != ops::AutoBroadcast::numpy) return declined("the limits are aligned with the data");
  if (feeds_binary_convolution(node)) return declined("a BinaryConvolution reads the result");
  const auto pairs = limit_pairs(node);
  if (!pairs || has_computed_limits(node)) return declined("the limits are not constants");
  if (!pairs->any_equal && !pairs->any_descending) return declined("each low limit lies below its high one");
  // The runtime computes constants by the definition, and weights that are quantised must stay so: a channel of zeros
  // has equal limits.
  if (op.levels > 2 && !is_computed(node.input(0))) return declined("the data is constant");
  return quantized_by_threshold_or_cases(rw, node, *pairs);
}

}  // namespace

void register_quantization_limits_out_of_order(PassRegistry& passes) {
  passes.add(avoid_fault("QuantizationLimitsOutOfOrder",
                         {.form = "FakeQuantize whose low input limit is its high one or lies above it",
                          .symptom = "NaN, wrong values, not compiled, or a crash",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "Less, Select; Round and arithmetic where there are more values than two"})
                 .add(lowering<ops::FakeQuantize>("LimitsOutOfOrder", limits_out_of_order)));
}

}  // namespace mo::transformations
