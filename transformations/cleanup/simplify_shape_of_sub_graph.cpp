#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

void register_simplify_shape_of_sub_graph(PassRegistry& passes) {
  passes.offer(pipeline("SimplifyShapeOfSubGraph")
                   .described("computations of shapes", "shorter ones")
                   .then(PassUse("EliminateGatherUnsqueeze"))
                   .then(PassUse("SharedShapeOf"))
                   .then(PassUse("GroupedGatherElimination"))
                   .then(PassUse("GatherNopElimination"))
                   .then(PassUse("SimplifyGatherShapeOf"))
                   .then(PassUse("SimplifySecondInputOfReshape")));
}

}  // namespace mo::transformations
