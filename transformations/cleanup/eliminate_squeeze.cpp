#include "core/registry/pass_registry.hpp"
#include "ops/squeeze.hpp"
#include "transformations/cleanup/support/reshape_like.hpp"

namespace mo::transformations {

void register_eliminate_squeeze(PassRegistry& passes) {
  const Pat squeeze = pattern::op<ops::Squeeze>();
  passes.offer(rewrite("EliminateSqueeze")
                   .described("Squeeze(x), Squeeze(Reshape | Squeeze | Unsqueeze(x))",
                              "x, Reshape(x), Squeeze(x) or Unsqueeze(x)",
                              "a Reshape for at most one unknown dimension; otherwise the axes must follow from the "
                              "shapes, or be equal constants")
                   .match(squeeze)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(squeeze);
                     return is_for_reshape(node.output_type().shape) ? as_reshape(node, rw) : as_one(node, rw);
                   }));
}

}  // namespace mo::transformations
