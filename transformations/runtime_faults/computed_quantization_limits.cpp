#include "ops/fake_quantize.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/quantization_arithmetic.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement with_computed_limits(const Node& node, Rewriter& rw) {
  if (!has_computed_limits(node)) return declined("the limits are constants");
  if (node.as<ops::FakeQuantize>()->auto_broadcast != ops::AutoBroadcast::numpy)
    return declined("the limits are aligned with the data");
  return quantized_by_cases(rw, node);
}

}  // namespace

void register_computed_quantization_limits(PassRegistry& passes) {
  passes.add(avoid_fault("ComputedQuantizationLimits", {.form = "FakeQuantize with a limit that is computed",
                                                        .symptom = "not compiled",
                                                        .first = "2021.4",
                                                        .last = "2021.4",
                                                        .replacement = "Select, Round and arithmetic"})
                 .add(lowering<ops::FakeQuantize>("QuantizationByCases", with_computed_limits)));
}

}  // namespace mo::transformations
