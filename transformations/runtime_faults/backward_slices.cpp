#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/strided_slice.hpp"

namespace mo::transformations {
namespace {

Replacement backward_slice(const Node& node, Rewriter& rw) {
  const auto steps = integers_of(node.input(3));
  if (!steps || std::count_if(steps->begin(), steps->end(), [](std::int64_t step) { return step < 0; }) < 2)
    return declined("it does not go backwards along two dimensions");
  if (node.input_type(0).shape.is_static()) return declined("all sizes are known");
  const Value made = as_strided_slice(node, rw);
  return made ? Replacement(made) : declined("the rank is unknown, or axes or ends are computed");
}

}  // namespace

void register_backward_slices(PassRegistry& passes) {
  passes.add(
      avoid_fault("BackwardSlices", {.form = "Slice-8 backwards along two or more dimensions, where sizes are unknown",
                                     .symptom = "not compiled: std::bad_alloc",
                                     .first = "2022.1",
                                     .last = "2022.3",
                                     .replacement = "StridedSlice"})
          .add(lowering<ops::Slice>("Slice", backward_slice)));
}

}  // namespace mo::transformations
