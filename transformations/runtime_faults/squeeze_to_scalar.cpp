#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Squeeze(x), which has one element -> x as a vector, whose first element is taken.
Replacement first_element(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.input_type(0).shape;
  if (node.output_type().rank() != 0 || shape.is_static())
    return declined("the result is not known to be a scalar, or the shape is known");
  const Value vector = shape.has_rank() && shape.size() == 1
                           ? node.input(0)
                           : rw.create(ops::Reshape{}, node.input(0), rw.integers({-1}));
  return rw.create(ops::v1::Gather{}, vector, rw.scalar<std::int64_t>(0), rw.scalar<std::int64_t>(0));
}

}  // namespace

void register_squeeze_to_scalar(PassRegistry& passes) {
  passes.add(avoid_fault("SqueezeToScalar", {.form = "Squeeze of unknown sizes to a scalar",
                                             .symptom = "not compiled: dynamic rank",
                                             .first = "2022.3",
                                             .last = "2022.3",
                                             .replacement = "Gather of the first element"})
                 .add(lowering<ops::Squeeze>("FirstElement", first_element)));
}

}  // namespace mo::transformations
