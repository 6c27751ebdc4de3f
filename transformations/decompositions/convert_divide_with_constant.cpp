#include "core/registry/pass_registry.hpp"
#include "transformations/decompositions/support/division.hpp"

namespace mo::transformations {

void register_convert_divide_with_constant(PassRegistry& passes) {
  const Pat divisor = pattern::constant();
  passes.offer(rewrite("ConvertDivideWithConstant")
                   .described("Divide(x, constant)", "x * (1 / constant)",
                              "the type is not an integer, and the Divide is not marked as sensitive to precision")
                   .match(pattern::op<ops::Divide>(pattern::any(), divisor))
                   .replace(of_op<ops::Divide>(by_reciprocal)));
}

}  // namespace mo::transformations
