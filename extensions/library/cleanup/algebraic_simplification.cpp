#include "core/pass/library.hpp"

namespace mo::library::cleanup {

/// Of 2021.4; later versions have its parts under names of their own.
void register_algebraic_simplification(PassLibrary& library) {
  library.add(
      pipeline("AlgebraicSimplification")
          .described("Gather(x) that takes all of x, ShapeOf(Gather(x))", "x, a shorter computation of the shape")
          .group("AlgebraicSimplification", {"EliminateGather", "SimplifyGatherShapeOf"}));
}

}  // namespace mo::library::cleanup
