#include "core/rewrite.hpp"
#include "ops/gather.hpp"

namespace mo::transformations {

void register_convert_gather7_to_gather1(PassRegistry& passes) {
  const Pat gather = pattern::op<ops::v7::Gather>();
  passes.offer(rewrite("ConvertGather7ToGather1")
                   .described("Gather.v7(data, indices, axis)", "Gather.v1(data, indices, axis)", "batch_dims is 0")
                   .match(gather)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(gather);
                     if (node.as<ops::v7::Gather>()->batch_dims != 0) return declined("batch_dims is not 0");
                     return rw.create(ops::v1::Gather{}, node.input(0), node.input(1), node.input(2));
                   }));
}

}  // namespace mo::transformations
