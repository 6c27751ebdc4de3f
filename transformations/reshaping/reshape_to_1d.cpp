#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/reshape.hpp"

namespace mo::transformations {

void register_reshape_to_1d(PassRegistry& passes) {
  using namespace pattern;
  const Pat target = constant();
  passes.offer(rewrite("ReshapeTo1D")
                   .described("Reshape(x, [n])", "Reshape(x, [-1])", "constant target")
                   .match(op<ops::Reshape>(any(), target).rank(1))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const auto sizes = constant_integers_of(m[target]);
                     if (!sizes || sizes->size() != 1 || sizes->front() == -1)
                       return declined("the target is -1 already");
                     const Node node = m.root().node();
                     rw.set_input(node, 1, rw.integers({-1}));
                     return changed_in_place(node);
                   }));
}

}  // namespace mo::transformations
