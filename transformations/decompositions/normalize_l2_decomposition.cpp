#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/normalize_l2.hpp"
#include "ops/reduce.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_normalize_l2_decomposition(PassRegistry& passes) {
  passes.offer(rewrite("NormalizeL2Decomposition")
                   .described("NormalizeL2(x, axes)",
                              "x / Sqrt(ReduceSum(Power(x, 2), axes) + eps), or Maximum instead of the sum")
                   .match(pattern::op<ops::NormalizeL2>())
                   .replace(of_op<ops::NormalizeL2>(
                       [](const Node& node, const ops::NormalizeL2& op, Rewriter& rw) -> Replacement {
                         const Value x = node.input(0);
                         const Value squares = rw.create(ops::Power{}, x, rw.scalar_like(x, 2));
                         const Value sum = rw.create(ops::ReduceSum{.keep_dims = true}, squares, node.input(1));
                         const Value eps = rw.scalar_like(x, op.eps);
                         const Value bounded = op.eps_mode == ops::NormalizeL2EpsMode::add
                                                   ? rw.create(ops::Add{}, sum, eps)
                                                   : rw.create(ops::Maximum{}, sum, eps);
                         return rw.create(ops::Divide{}, x, rw.create(ops::Sqrt{}, bounded));
                       })));
}

}  // namespace mo::transformations
