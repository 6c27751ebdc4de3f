#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_subtract_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat y = any();
  passes.offer(rewrite("SubtractFusion")
                   .described("x + y * -1, x + -y", "x - y")
                   .match(x + any_of(y * number(-1), op<ops::Negative>(y)))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Value difference = rw.create(ops::Subtract{}, m[x], m[y]);
                     if (!can_stand_for(m.root(), difference)) return declined("the constant changes the shape");
                     return difference;
                   }));
}

}  // namespace mo::transformations
