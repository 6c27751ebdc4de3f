#include "ops/grn.hpp"
#include "ops/normalize_l2.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// GRN(x) -> x divided by the length of its channels, whose squares and bias are added.
Replacement normalized_channels(const Node& node, Rewriter& rw) {
  if (node.input_type(0).shape.is_static()) return declined("the sizes are known");
  return rw.create(ops::NormalizeL2{.eps = node.as<ops::GRN>()->bias}, node.input(0), rw.integers({1}));
}

}  // namespace

void register_grn_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("GRNOfUnknownSizes", {.form = "GRN of unknown sizes",
                                               .symptom = "not compiled",
                                               .first = "2022.1",
                                               .last = "2022.1",
                                               .replacement = "NormalizeL2 over the channels, with the bias as eps"})
                 .add(lowering<ops::GRN>("NormalizedChannels", normalized_channels)));
}

}  // namespace mo::transformations
