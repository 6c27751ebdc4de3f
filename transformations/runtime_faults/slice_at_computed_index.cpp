#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/gathered_slice.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement gathers(const Node& node, Rewriter& rw) {
  if (!drops_dimensions(*node.as<ops::StridedSlice>())) return Replacement::declined();
  if (integers_of(node.input(1))) return declined("begin is known");
  const Value made = as_gathers(node, rw);
  return made ? Replacement(made) : declined("the axes of the indices are unknown");
}

}  // namespace

void register_slice_at_computed_index(PassRegistry& passes) {
  passes.add(avoid_fault("SliceAtComputedIndex",
                         {.form = "StridedSlice with a computed begin that drops dimensions (shrink_axis_mask): x[i]",
                          .symptom = "the model is not read, compiled or executed",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "Gather for each dropped dimension, StridedSlice for the others"})
                 .add(lowering<ops::StridedSlice>("GatherOfSlice", gathers)));
}

}  // namespace mo::transformations
