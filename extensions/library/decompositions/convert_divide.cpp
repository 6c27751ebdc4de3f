#include "core/pass/library.hpp"
#include "extensions/library/support/division.hpp"

namespace mo::library::decompositions {

void register_convert_divide(PassLibrary& library) {
  library.add(
      rewrite("ConvertDivide")
          .described("Divide(a, b)",
                     "a * Power(b, -1); Power(b, -1) when a is 1; b's reciprocal is computed when b is a constant",
                     "the type is not an integer, and the Divide is not marked as sensitive to precision")
          .match(pattern::op<ops::Divide>())
          .replace(of_op<ops::Divide>(by_reciprocal)));
}

}  // namespace mo::library::decompositions
