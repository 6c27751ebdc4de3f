#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_reduce_l2_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("ReduceL2Decomposition")
          .described("ReduceL2(x, axes)", "Sqrt(ReduceSum(Power(x, 2), axes))")
          .match(pattern::op<ops::ReduceL2>())
          .replace(of_op<ops::ReduceL2>([](const Node& node, const ops::ReduceL2& op, Rewriter& rw) -> Replacement {
            const Value squares = rw.create(ops::Power{}, node.input(0), rw.scalar_like(node.input(0), 2));
            return rw.create(ops::Sqrt{}, rw.create(ops::ReduceSum{.keep_dims = op.keep_dims}, squares, node.input(1)));
          })));
}

}  // namespace mo::transformations
