#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/broadcast.hpp"

namespace mo::transformations {

void register_eliminate_broadcast(PassRegistry& passes) {
  const Pat broadcast = pattern::any_op<ops::v1::Broadcast, ops::v3::Broadcast>();
  passes.offer(rewrite("EliminateBroadcast")
                   .described("Broadcast(x, shape)", "x", "x has that static shape")
                   .match(broadcast)
                   .replace([=](const Match& m, Rewriter&) -> Replacement {
                     const Node node = m.node(broadcast);
                     const auto shape = node.output_type().shape.to_shape();
                     if (!shape || node.input_type(0).shape.to_shape() != shape)
                       return declined("it changes the shape, or that is unknown");
                     return bypass(node, node.input(0));
                   }));
}

}  // namespace mo::transformations
