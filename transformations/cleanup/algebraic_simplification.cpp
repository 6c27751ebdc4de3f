#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

/// Of 2021.4; later versions have its parts under names of their own.
void register_algebraic_simplification(PassRegistry& passes) {
  passes.offer(
      pipeline("AlgebraicSimplification")
          .described("Gather(x) that takes all of x, ShapeOf(Gather(x))", "x, a shorter computation of the shape")
          .group("AlgebraicSimplification", {"EliminateGather", "SimplifyGatherShapeOf"}));
}

}  // namespace mo::transformations
