#include "core/graph/values.hpp"
#include "extensions/library/support/fusing.hpp"
#include "ops/activations.hpp"

namespace mo::library::fusions {

void register_leaky_relu_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat x = any();
  const Pat slope = any().where(has_one_element, "one element");
  library.add(
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

}  // namespace mo::library::fusions
