#include "ops/pad.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/sizes_of_operands.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// As many amounts as the data has dimensions.
Replacement amounts(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  if (!rank) return declined("the rank of the data is unknown");
  return with_sizes(node, 1, 2, {*rank}, rw);
}

}  // namespace

void register_pad_of_unknown_amounts(PassRegistry& passes) {
  passes.add(avoid_fault("PadOfUnknownAmounts", {.form = "Pad with an unknown number of amounts",
                                                 .symptom = "not read: the length of a dynamic dimension",
                                                 .first = "2023.3",
                                                 .last = "2024.6",
                                                 .replacement = "Reshape of the amounts to the rank of the data"})
                 .add(lowering<ops::v1::Pad>("NumberOfPad1", amounts))
                 .add(lowering<ops::v12::Pad>("NumberOfPad12", amounts)));
}

}  // namespace mo::transformations
