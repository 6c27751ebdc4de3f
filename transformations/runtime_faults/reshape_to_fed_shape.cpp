#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Reshape(x, n), n of one number known only at run time -> Reshape(x, [-1]); with more of them, the inferred shape.
Replacement reshape_to_known_shape(const Node& node, Rewriter& rw) {
  const auto shape = node.output_type().shape.to_shape();
  if (integers_of(node.input(1)) || !shape) return declined("the target is known, or the result is not");
  return rw.create(ops::Reshape{.special_zero = false}, node.input(0),
                   rw.integers(shape->size() == 1 ? std::vector<std::int64_t>{-1} : *shape));
}

}  // namespace

void register_reshape_to_fed_shape(PassRegistry& passes) {
  passes.add(avoid_fault("ReshapeToFedShape",
                         {.form = "Reshape to a shape that is computed from inputs, and has one possible result",
                          .symptom = "not compiled: the output shape is dynamic for the runtime",
                          .first = "2021.4",
                          .last = "2021.4",
                          .replacement = "Reshape to constants"})
                 .add(lowering<ops::Reshape>("ReshapeToKnownShape", reshape_to_known_shape)));
}

}  // namespace mo::transformations
