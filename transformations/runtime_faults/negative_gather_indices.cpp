#include "ops/gather_elements.hpp"
#include "ops/gather_nd.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/front_indices.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

template <OpLike T>
Replacement gather_from_the_front(const Node& node, Rewriter& rw) {
  const T op = *node.as<T>();
  const Value indices = indices_from_the_front(rw, node.input(1), node.input(0), op.batch_dims);
  if (!indices) return declined("no index is negative, or the number of values of an index is unknown");
  return rw.create(op, node.input(0), indices);
}

Replacement gather_elements_from_the_front(const Node& node, Rewriter& rw) {
  const auto op = *node.as<ops::GatherElements>();
  const Value indices = element_indices_from_the_front(rw, node.input(1), node.input(0), op.axis);
  if (!indices) return declined("no index is negative, or how many dimensions the data has is unknown");
  return rw.create(op, node.input(0), indices);
}

}  // namespace

void register_negative_gather_indices(PassRegistry& passes) {
  passes.add(avoid_fault("NegativeGatherIndices",
                         {.form = "GatherND or GatherElements, an index of which may be negative",
                          .symptom = "elements from outside of the data",
                          .first = "2021.4",
                          .last = "2024.6",
                          .replacement = "the indices counted from the front: Select(i < 0, i + size, i)"})
                 .add(lowering<ops::v5::GatherND>("GatherND5", gather_from_the_front<ops::v5::GatherND>))
                 .add(lowering<ops::v8::GatherND>("GatherND8", gather_from_the_front<ops::v8::GatherND>))
                 .add(lowering<ops::GatherElements>("GatherElements", gather_elements_from_the_front)));
}

}  // namespace mo::transformations
