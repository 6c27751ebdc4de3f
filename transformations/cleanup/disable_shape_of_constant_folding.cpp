#include "core/registry/pass_registry.hpp"
#include "ops/shape_of.hpp"
#include "transformations/support/constant_folding_marks.hpp"

namespace mo::transformations {

void register_disable_shape_of_constant_folding(PassRegistry& passes) {
  // A list of one number is the rank of something, or a size that reshaping a vector changes: the original folds it.
  passes.offer(folding_mark("DisableShapeOfConstantFolding", "ShapeOf(x) of more or less than one dimension",
                            [](const Node& node) {
                              return (node.is<ops::v0::ShapeOf>() || node.is<ops::v3::ShapeOf>()) &&
                                     node.output_type().shape.element_count() != 1;
                            }));
}

}  // namespace mo::transformations
