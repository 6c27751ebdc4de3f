#include "extensions/back/lowering.hpp"
#include "extensions/back/support/quantization_arithmetic.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/comparison.hpp"
#include "ops/select.hpp"

namespace mo::back {
namespace {

bool has_constant_limits(const Node& node) {
  for (std::size_t i = 1; i < node.in_port_count(); ++i)
    if (!node.input(i).node().is<Const>()) return false;
  return true;
}

/// FakeQuantize -> ol where x <= min(il, ih), oh where x > max(il, ih), its arithmetic elsewhere. The limits may be equal: what is divided by 0 is not taken.
Replacement quantization_by_cases(const Node& node, Rewriter& rw) {
  if (has_constant_limits(node)) return declined("the limits are constants");
  if (node.as<ops::FakeQuantize>()->auto_broadcast != ops::AutoBroadcast::numpy) return declined("the limits are aligned with the data");
  const Value x = folded_as(rw, node.input(0), node.input_type(1).element_type);
  const Value lower = rw.fold(ops::Minimum{}, node.input(1), node.input(2));
  const Value upper = rw.fold(ops::Maximum{}, node.input(1), node.input(2));
  const Value above = rw.fold(ops::Select{}, rw.fold(ops::Less{}, upper, x), node.input(4), quantized_between_limits(rw, node, x));
  const Value quantized = rw.fold(ops::Select{}, rw.fold(ops::LessEqual{}, x, lower), node.input(3), above);
  return folded_as(rw, quantized, node.output_type().element_type);
}

}  // namespace

void register_computed_quantization_limits(PassRegistry& passes) {
  passes.add(avoid_fault("ComputedQuantizationLimits", {.form = "FakeQuantize with a limit that is computed",
                                                        .symptom = "not compiled",
                                                        .first = "2021.4",
                                                        .last = "2021.4",
                                                        .replacement = "Select, Round and arithmetic"})
                 .add(lowering<ops::FakeQuantize>("QuantizationByCases", quantization_by_cases)));
}

}  // namespace mo::back
