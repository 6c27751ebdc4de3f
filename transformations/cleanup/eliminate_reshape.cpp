#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/reshape.hpp"
#include "transformations/cleanup/support/reshape_like.hpp"

namespace mo::transformations {

void register_eliminate_reshape(PassRegistry& passes) {
  const Pat reshape = pattern::op<ops::Reshape>();
  passes.offer(rewrite("EliminateReshape")
                   .described("Reshape(x), Reshape(Reshape | Squeeze | Unsqueeze(x))", "x, or one Reshape",
                              "static shapes; one reader of the inner op")
                   .match(reshape)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(reshape);
                     const Value x = node.input(0);
                     const auto shape = node.output_type().shape.to_shape();
                     if (!shape || !x.type().shape.is_static()) return declined("shapes are unknown");
                     if (x.type().shape.to_shape() == shape) return bypass(node, x);
                     if (!is_reshape_like(x.node()) || !x.has_one_destination())
                       return declined("no reshape-like op before it that nothing else reads");
                     const Value inner = x.node().input(0);
                     if (inner.type().shape.to_shape() == shape) return bypass(node, inner);
                     return rw.create(ops::Reshape{.special_zero = false}, inner, rw.integers(*shape));
                   }));
}

}  // namespace mo::transformations
