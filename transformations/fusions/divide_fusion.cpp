#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_divide_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat y = any();
  passes.offer(rewrite("DivideFusion")
                   .described("x * y^-1", "x / y", "floating-point values")
                   .match(x * pow(y, number(-1)))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     if (!is_real(m[x].type().element_type))
                       return declined("integers are divided with another rounding");
                     const Value quotient = rw.create(ops::Divide{}, m[x], m[y]);
                     if (!can_stand_for(m.root(), quotient)) return declined("the exponent changes the shape");
                     return quotient;
                   }));
}

}  // namespace mo::transformations
