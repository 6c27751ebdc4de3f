#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// An empty order reverses the dimensions.
Replacement reversed(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  if (node.input_type(1).shape.element_count() != 0) return Replacement::declined();
  if (!rank || *rank < 2) return declined("the rank is unknown, or nothing moves");
  std::vector<std::int64_t> order;
  for (std::int64_t axis = *rank; axis-- > 0;) order.push_back(axis);
  return rw.create(ops::Transpose{}, node.input(0), rw.integers(order));
}

}  // namespace

void register_transpose_without_order(PassRegistry& passes) {
  passes.add(avoid_fault("TransposeWithoutOrder",
                         {.form = "Transpose with an empty order, read by a reduction or a ShapeOf",
                          .symptom = "a pass of the runtime merges both as if nothing were transposed, or fails",
                          .first = "2021.4",
                          .last = "latest",
                          .replacement = "Transpose with the order of the dimensions reversed"})
                 .add(lowering<ops::Transpose>("Reversed", reversed)));
}

}  // namespace mo::transformations
