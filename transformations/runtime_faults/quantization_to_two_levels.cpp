#include "ops/fake_quantize.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/quantization_arithmetic.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement two_levels(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::FakeQuantize>();
  if (op.levels != 2 || op.auto_broadcast != ops::AutoBroadcast::numpy) return Replacement::declined();
  if (const auto rank = node.input_type(0).rank(); rank && *rank < 2) return declined("a vector is computed rightly");
  if (feeds_binary_convolution(node)) return declined("a BinaryConvolution reads the result");
  const auto pairs = limit_pairs(node);
  if (!pairs || has_computed_limits(node)) return declined("the limits are not constants");
  return quantized_by_threshold_or_cases(rw, node, *pairs);
}

}  // namespace

void register_quantization_to_two_levels(PassRegistry& passes) {
  passes.add(
      avoid_fault("QuantizationToTwoLevels", {.form = "FakeQuantize of 2 levels, of data with two or more dimensions",
                                              .symptom = "not compiled, or a crash",
                                              .first = "2021.4",
                                              .last = "2022.3",
                                              .replacement = "Less, Select"})
          .add(lowering<ops::FakeQuantize>("TwoLevels", two_levels)));
}

}  // namespace mo::transformations
