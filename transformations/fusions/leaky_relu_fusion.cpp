#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/activations.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_leaky_relu_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat slope = any().where(has_one_element, "one element");
  passes.offer(
      rewrite("LeakyReluFusion")
          .described("max(x, x * a)", "PReLU(x, a)",
                     "a has one element and is 1 or less, which is taken for granted where it is not a constant")
          .match(max(x, (x * slope).one_use()))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const auto known = number_of(m[slope]);
            if (known && !(*known <= 1)) return declined("the slope is above 1");
            if (!can_stand_for(m.root(), m[x])) return declined("the slope changes the shape");
            return rw.create(ops::PReLU{}, m[x], m[slope]);
          }));
}

}  // namespace mo::transformations
