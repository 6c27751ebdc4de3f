#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/transpose.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// reduce(Transpose(x), all axes) -> reduce(x, all axes): it does not matter where the elements are.
Replacement of_data(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  const Node transpose = node.input(0).node();
  if (!transpose.is<ops::Transpose>()) return declined("no Transpose in front");
  const auto rank = node.input_type(0).rank();
  const auto axes = integers_of(node.input(1));
  if (keeps_dimensions(kind, node) || !rank || !axes) return declined("with keep_dims, or of unknown rank or axes");
  std::vector<bool> is_reduced(static_cast<std::size_t>(*rank), false);
  for (const std::int64_t axis : *axes)
    if (const auto place = normalize_axis(axis, *rank)) is_reduced[static_cast<std::size_t>(*place)] = true;
  if (!std::all_of(is_reduced.begin(), is_reduced.end(), [](bool reduced) { return reduced; }))
    return declined("some dimensions stay");
  return with_reduction(
      kind, [&]<class Op>(const Op&) { return rw.create(*node.as<Op>(), transpose.input(0), node.input(1)); });
}

}  // namespace

void register_full_reductions_of_transposed(PassRegistry& passes) {
  passes.add(with_all_reductions(
      avoid_fault("FullReductionsOfTransposed",
                  {.form = "reduction of all dimensions without keep_dims, of the output of a Transpose",
                   .symptom = "wrong values; in 2021.4 a crash while the model is compiled",
                   .first = "2021.4",
                   .last = "2024.6",
                   .replacement = "the reduction without the Transpose"}),
      of_data));
}

}  // namespace mo::transformations
