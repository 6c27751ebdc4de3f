#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Reduction over an empty list of axes -> its data, by definition of the op for all kinds.
Replacement data_of_reduction(ops::ReduceKind, const Node& node, Rewriter&) {
  if (node.input_type(1).shape.element_count() != 0) return Replacement::declined();
  return node.input(0);
}

}  // namespace

void register_reduction_over_no_axes(PassRegistry& passes) {
  passes.add(with_all_reductions(avoid_fault("ReductionOverNoAxes", {.form = "reduction over an empty list of axes",
                                                                     .symptom = "the model is not compiled",
                                                                     .first = "2021.4",
                                                                     .last = "latest",
                                                                     .replacement = "the data"}),
                                 data_of_reduction));
}

}  // namespace mo::transformations
