#include "ops/build/tensors.hpp"
#include "ops/mvn.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement over_computed_axes(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v0::MVN>();
  if (!op.across_channels || !op.reduction_axes.empty()) return Replacement::declined();
  if (node.input_type(0).rank()) return declined("the rank is known");
  return rw.create(ops::v6::MVN{.eps = op.eps, .normalize_variance = op.normalize_variance}, node.input(0),
                   build::axes_from(rw, node.input(0), 1));
}

}  // namespace

void register_mvn_of_unknown_rank(PassRegistry& passes) {
  passes.add(avoid_fault("MVNOfUnknownRank", {.form = "MVN of opset2 across channels, of an unknown rank",
                                              .symptom = "each channel is normalised by itself",
                                              .first = "2022.1",
                                              .last = "latest",
                                              .replacement = "MVN of opset6 with computed axes"})
                 .add(lowering<ops::v0::MVN>("OverComputedAxes", over_computed_axes)));
}

}  // namespace mo::transformations
