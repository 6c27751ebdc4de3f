#include "core/pass/library.hpp"

namespace mo::library::cleanup {

void register_simplify_shape_of_sub_graph(PassLibrary& library) {
  library.add(pipeline("SimplifyShapeOfSubGraph")
                  .described("computations of shapes", "shorter ones")
                  .then(PassUse("EliminateGatherUnsqueeze"))
                  .then(PassUse("SharedShapeOf"))
                  .then(PassUse("GroupedGatherElimination"))
                  .then(PassUse("GatherNopElimination"))
                  .then(PassUse("SimplifyGatherShapeOf"))
                  .then(PassUse("SimplifySecondInputOfReshape")));
}

}  // namespace mo::library::cleanup
