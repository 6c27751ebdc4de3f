#include "core/pass/library.hpp"
#include "extensions/library/support/division.hpp"

namespace mo::library::decompositions {

void register_convert_divide_with_constant(PassLibrary& library) {
  const Pat divisor = pattern::constant();
  library.add(rewrite("ConvertDivideWithConstant")
                  .described("Divide(x, constant)", "x * (1 / constant)",
                             "the type is not an integer, and the Divide is not marked as sensitive to precision")
                  .match(pattern::op<ops::Divide>(pattern::any(), divisor))
                  .replace(of_op<ops::Divide>(by_reciprocal)));
}

}  // namespace mo::library::decompositions
