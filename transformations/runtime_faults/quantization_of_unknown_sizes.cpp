#include "ops/fake_quantize.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/quantization_arithmetic.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool computes_known_sizes(const Node& node) {
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (!node.input_type(i).shape.is_static()) return false;
  return true;
}

Replacement of_unknown_sizes(const Node& node, Rewriter& rw) {
  if (!has_computed_limits(node)) return declined("the limits are constants");
  if (computes_known_sizes(node)) return declined("the sizes are known");
  if (node.as<ops::FakeQuantize>()->auto_broadcast != ops::AutoBroadcast::numpy)
    return declined("the limits are aligned with the data");
  return quantized_by_cases(rw, node);
}

}  // namespace

void register_quantization_of_unknown_sizes(PassRegistry& passes) {
  passes.add(
      avoid_fault("QuantizationOfUnknownSizes", {.form = "FakeQuantize with a limit that is computed, of unknown sizes",
                                                 .symptom = "an error during inference",
                                                 .first = "2022.1",
                                                 .last = "2022.1",
                                                 .replacement = "Select, Round and arithmetic"})
          .add(lowering<ops::FakeQuantize>("QuantizationOfUnknownSizesByCases", of_unknown_sizes)));
}

}  // namespace mo::transformations
