#include "core/registry/pass_registry.hpp"
#include "transformations/decompositions/support/division.hpp"

namespace mo::transformations {

void register_convert_divide(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertDivide")
          .described("Divide(a, b)",
                     "a * Power(b, -1); Power(b, -1) when a is 1; b's reciprocal is computed when b is a constant",
                     "the type is not an integer, and the Divide is not marked as sensitive to precision")
          .match(pattern::op<ops::Divide>())
          .replace(of_op<ops::Divide>(by_reciprocal)));
}

}  // namespace mo::transformations
