#include "ops/concat.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Concat of vectors of integers along axis -1 -> along axis 0. Others keep their axis: later runtimes find rotary
/// embeddings by the axis -1.
Replacement join_along_first_axis(const Node& node, Rewriter& rw) {
  const TensorType& type = node.output_type();
  if (node.as<ops::Concat>()->axis != -1 || type.rank() != 1 || !is_integral(type.element_type))
    return Replacement::declined();
  return rw.create(ops::Concat{.axis = 0}, inputs_of(node));
}

}  // namespace

void register_shapes_joined_along_last_axis(PassRegistry& passes) {
  passes.add(avoid_fault("ShapesJoinedAlongLastAxis",
                         {.form = "Concat of vectors along axis -1 that is the shape of a Reshape",
                          .symptom = "the model is not compiled",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "the same with axis 0"})
                 .add(lowering<ops::Concat>("Concat", join_along_first_axis)));
}

}  // namespace mo::transformations
