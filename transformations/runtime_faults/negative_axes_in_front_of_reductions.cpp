#include <algorithm>

#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

bool is_reduction(const InPort& reader) { return reader.index() == 0 && reader.node().type().starts_with("Reduce"); }

/// Unsqueeze(x, [-1]) -> Unsqueeze(x, [rank - 1]), before a reduction.
Replacement axes_from_front(const Node& node, Rewriter& rw) {
  auto axes = constant_integers_of(node.input(1));
  if (!axes || none_negative(axes)) return declined("the axes are computed, or count from the front");
  const auto rank = node.output_type().rank();
  if (!rank) return declined("the rank is unknown");
  const std::vector<InPort> readers = node.output().get_destinations();
  if (std::none_of(readers.begin(), readers.end(), is_reduction)) return declined("no reduction reads it");
  for (std::int64_t& axis : *axes) axis = normalize_axis(axis, *rank).value_or(axis);
  return rw.create(ops::Unsqueeze{}, node.input(0), rw.integers(*axes));
}

}  // namespace

void register_negative_axes_in_front_of_reductions(PassRegistry& passes) {
  passes.add(
      avoid_fault("NegativeAxesInFrontOfReductions",
                  {.form = "Unsqueeze with a negative axis before a reduction",
                   .symptom = "not compiled: the Unsqueeze goes after the reduction, whose result has fewer dimensions",
                   .first = "2022.3",
                   .last = "2022.3",
                   .replacement = "the axis counted from the front"})
          .add(lowering<ops::Unsqueeze>("AxesFromFront", axes_from_front)));
}

}  // namespace mo::transformations
