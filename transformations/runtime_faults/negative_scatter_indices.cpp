#include "ops/scatter.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/front_indices.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement scatter_from_the_front(const Node& node, Rewriter& rw) {
  const Value indices = indices_from_the_front(rw, node.input(1), node.input(0), 0);
  if (!indices) return declined("no index is negative, or the number of values of an index is unknown");
  return rw.create(ops::v3::ScatterNDUpdate{}, node.input(0), indices, node.input(2));
}

Replacement scatter_elements_from_the_front(const Node& node, Rewriter& rw) {
  const Value indices =
      element_indices_from_the_front(rw, node.input(1), node.input(0), single_integer_of(node.input(3)));
  if (!indices) return declined("no index is negative, or the axis or how many dimensions the data has is unknown");
  return rw.create(ops::v3::ScatterElementsUpdate{}, node.input(0), indices, node.input(2), node.input(3));
}

}  // namespace

void register_negative_scatter_indices(PassRegistry& passes) {
  passes.add(
      avoid_fault("NegativeScatterIndices",
                  {.form = "ScatterNDUpdate or ScatterElementsUpdate, an index of which may be negative",
                   .symptom = "updates outside of the data",
                   .first = "2021.4",
                   .last = "2022.3",
                   .replacement = "the indices counted from the front: Select(i < 0, i + size, i)"})
          .add(lowering<ops::v3::ScatterNDUpdate>("ScatterNDUpdate", scatter_from_the_front))
          .add(lowering<ops::v3::ScatterElementsUpdate>("ScatterElementsUpdate", scatter_elements_from_the_front)));
}

}  // namespace mo::transformations
