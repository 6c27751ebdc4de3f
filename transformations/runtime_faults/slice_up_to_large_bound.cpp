#include <algorithm>

#include "ops/slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/strided_slice.hpp"

namespace mo::transformations {
namespace {

constexpr double kMostElements = 1 << 28;  ///< what a runtime can be asked for: 1 GiB of f32

/// Slice of an unknown size to a bound that is far away -> StridedSlice, of which these releases do not know that there
/// is a bound.
Replacement without_bound(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.output_type().shape;
  if (!shape.has_rank() || shape.is_static()) return declined("the rank is unknown, or all sizes are known");
  double most = 1;
  for (const Dimension& size : shape) {
    if (!size.is_bounded()) return declined("a size without a limit");
    most *= static_cast<double>(size.max());
  }
  if (most <= kMostElements) return declined("few elements");
  const Value made = as_strided_slice(node, rw);
  return made ? Replacement(made) : declined("axes or steps are computed");
}

}  // namespace

void register_slice_up_to_large_bound(PassRegistry& passes) {
  passes.add(
      avoid_fault("SliceUpToLargeBound",
                  {.form = "Slice-8 of an unknown size to a constant bound, with more than 2^28 elements up to there",
                   .symptom = "not compiled: there is no memory for so many elements",
                   .first = "2022.1",
                   .last = "2022.3",
                   .replacement = "StridedSlice"})
          .add(lowering<ops::Slice>("WithoutBound", without_bound)));
}

}  // namespace mo::transformations
