#include "core/rewrite.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"

namespace mo::transformations {

void register_reduce_l1_decomposition(PassRegistry& passes) {
  const Pat reduction = pattern::op<ops::ReduceL1>();
  passes.offer(rewrite("ReduceL1Decomposition")
                   .described("ReduceL1(x, axes)", "ReduceSum(Abs(x), axes)")
                   .match(reduction)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(reduction);
                     const bool keep = node.as<ops::ReduceL1>()->keep_dims;
                     return rw.create(ops::ReduceSum{.keep_dims = keep}, rw.create(ops::Abs{}, node.input(0)),
                                      node.input(1));
                   }));
}

}  // namespace mo::transformations
