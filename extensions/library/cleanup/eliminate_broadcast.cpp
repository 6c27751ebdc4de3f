#include "core/pass/elimination.hpp"
#include "core/pass/library.hpp"
#include "ops/broadcast.hpp"

namespace mo::library::cleanup {

void register_eliminate_broadcast(PassLibrary& library) {
  const Pat broadcast = pattern::any_op<ops::v1::Broadcast, ops::v3::Broadcast>();
  library.add(rewrite("EliminateBroadcast")
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

}  // namespace mo::library::cleanup
