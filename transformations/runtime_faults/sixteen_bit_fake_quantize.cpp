#include "ops/fake_quantize.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/quantization_arithmetic.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kLevels = 65536;

/// FakeQuantize -> the arithmetic of min(max(x, il), ih).
Replacement quantization_arithmetic(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::FakeQuantize>();
  if (op.levels != kLevels || op.auto_broadcast != ops::AutoBroadcast::numpy) return Replacement::declined();
  const auto pairs = limit_pairs(node);
  if (!pairs || pairs->any_equal || pairs->any_descending)
    return declined("the limits are not constants in ascending order");
  const Value data = folded_as(rw, node.input(0), node.input_type(1).element_type);
  const Value limited = rw.fold(ops::Minimum{}, rw.fold(ops::Maximum{}, data, node.input(1)), node.input(2));
  return folded_as(rw, quantized_between_limits(rw, node, limited), node.output_type().element_type);
}

}  // namespace

void register_sixteen_bit_fake_quantize(PassRegistry& passes) {
  passes.add(avoid_fault("SixteenBitFakeQuantize", {.form = "FakeQuantize of 65536 levels",
                                                    .symptom = "wrong values, or the model is not compiled",
                                                    .first = "2026.4",
                                                    .last = "latest",
                                                    .replacement = "Maximum, Minimum, Round and arithmetic"})
                 .add(lowering<ops::FakeQuantize>("QuantizationArithmetic", quantization_arithmetic)));
}

}  // namespace mo::transformations
