#include "core/registry/pass_registry.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/cleanup/support/reshape_like.hpp"

namespace mo::transformations {

void register_eliminate_unsqueeze(PassRegistry& passes) {
  const Pat unsqueeze = pattern::op<ops::Unsqueeze>();
  passes.offer(rewrite("EliminateUnsqueeze")
                   .described("Unsqueeze(x), Unsqueeze(Reshape | Squeeze | Unsqueeze(x))",
                              "x, Reshape(x), Squeeze(x) or Unsqueeze(x)",
                              "a Reshape for at most one unknown dimension; otherwise the axes must follow from the "
                              "shapes, or be equal constants")
                   .match(unsqueeze)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(unsqueeze);
                     return is_for_reshape(node.output_type().shape) ? as_reshape(node, rw) : as_one(node, rw);
                   }));
}

}  // namespace mo::transformations
