#include "ops/convert.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/slice_plans.hpp"

namespace mo::transformations {
namespace {

/// The second of two equal slices -> Convert of the first one to the type that it has, which keeps the name of the
/// output.
Replacement copy_of_other(const Node& node, Rewriter& rw) {
  if (!is_model_output(node.output())) return declined("not an output of the model");
  const auto plan = slice_plan(node);
  if (!plan) return declined("bounds or shapes are unknown, or dimensions are added or dropped");
  for (const InPort& reader : node.input(0).get_destinations()) {
    const Node other = reader.node();
    const bool is_earlier = other.is<ops::StridedSlice>() && reader.index() == 0 && other.id().index < node.id().index;
    if (!is_earlier || !is_model_output(other.output()) || slice_plan(other) != plan) continue;
    return rw.create(ops::Convert{.destination_type = node.output_type().element_type}, other.output());
  }
  return declined("no earlier output is an equal slice");
}

}  // namespace

void register_equal_slices_of_outputs(PassRegistry& passes) {
  passes.add(
      avoid_fault("EqualSlicesOfOutputs",
                  {.form = "two StridedSlices that take the same elements of a tensor, both outputs of the model",
                   .symptom = "not compiled: one of them is gone together with the name of the output",
                   .first = "2021.4",
                   .last = "2021.4",
                   .replacement = "Convert of the first to the type that it has"})
          .add(lowering<ops::StridedSlice>("CopyOfOther", copy_of_other)));
}

}  // namespace mo::transformations
