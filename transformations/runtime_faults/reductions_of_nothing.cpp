#include "ops/broadcast.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/readers.hpp"
#include "transformations/runtime_faults/support/reductions.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// reduce(x, axes) -> broadcast(what the reduction of no elements is), where x has no elements and the result has some.
Replacement of_nothing(ops::ReduceKind kind, const Node& node, Rewriter& rw) {
  if (!has_no_elements(node.input_type(0).shape)) return declined("not known to be without elements");
  if (!has_neutral_number(kind, node.input_type(0).element_type)) return declined("integers have no infinity");
  const Value number = rw.scalar_like(node.input(0), neutral_number(kind));
  const auto result = node.output_type().shape.to_shape();
  if (result && element_count(*result) == 0) return declined("the result has no elements");
  if (result) return rw.create(ops::Broadcast{}, number, rw.integers(*result));
  // Axes are computed, or sizes unknown. The runtimes know the shape of the reduction, but not its elements.
  if (readers_of_elements(node.output()).empty()) return declined("only its shape is read");
  const Value unread = rw.copy_with_new_inputs(node, {node.input(0), node.input(1)}).output();
  return rw.create(ops::Broadcast{}, number, rw.create(ops::ShapeOf{}, unread));
}

}  // namespace

void register_reductions_of_nothing(PassRegistry& passes) {
  passes.add(with_all_reductions(
      avoid_fault("ReductionsOfNothing", {.form = "reduction along dimensions of size 0",
                                          .symptom = "what was in memory; from 2024.6 on a finite number for infinity",
                                          .first = "2022.1",
                                          .last = "latest",
                                          .replacement = "Broadcast of the number that the reduction of nothing is"}),
      of_nothing));
}

}  // namespace mo::transformations
