#include <algorithm>

#include "ops/gather_elements.hpp"
#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/strided_slice.hpp"

namespace mo::transformations {
namespace {

Replacement strided(const Node& node, Rewriter& rw) {
  const std::vector<InPort> readers = node.output().get_destinations();
  const auto is_data = [](const InPort& reader) {
    return reader.node().is<ops::GatherElements>() && reader.index() == 0;
  };
  if (std::none_of(readers.begin(), readers.end(), is_data)) return declined("no GatherElements reads it");
  const Value made = as_strided_slice(node, rw);
  return made ? Replacement(made) : declined("axes or steps are computed, or the rank is unknown");
}

}  // namespace

void register_slice_of_gathered_elements(PassRegistry& passes) {
  passes.add(avoid_fault("SliceOfGatheredElements",
                         {.form = "Slice-8 before GatherElements",
                          .symptom = "not compiled: the runtime takes the Slice away, and the shapes do not fit",
                          .first = "2023.3",
                          .last = "latest",
                          .replacement = "StridedSlice"})
                 .add(lowering<ops::Slice>("Strided", strided)));
}

}  // namespace mo::transformations
