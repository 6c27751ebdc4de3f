#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/mvn.hpp"
#include "ops/reduce.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_mvn6_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("MVN6Decomposition")
          .described(
              "MVN(x, axes)",
              "(x - ReduceMean(x)) / Sqrt(ReduceMean(Power(x - ReduceMean(x), 2)) + eps), or eps outside the root")
          .match(pattern::op<ops::v6::MVN>())
          .replace(of_op<ops::v6::MVN>([](const Node& node, const ops::v6::MVN& op, Rewriter& rw) -> Replacement {
            const Value x = node.input(0);
            const Value axes = node.input(1);
            const Value centred = rw.create(ops::Subtract{}, x, rw.create(ops::ReduceMean{.keep_dims = true}, x, axes));
            if (!op.normalize_variance) return centred;
            const Value squares = rw.create(ops::Power{}, centred, one_number_for(rw, x, 2));
            const Value variance = rw.create(ops::ReduceMean{.keep_dims = true}, squares, axes);
            const Value eps = one_number_for(rw, x, op.eps);
            const Value deviation = op.eps_mode == ops::MVNEpsMode::inside_sqrt
                                        ? rw.create(ops::Sqrt{}, rw.create(ops::Add{}, variance, eps))
                                        : rw.create(ops::Add{}, rw.create(ops::Sqrt{}, variance), eps);
            return rw.create(ops::Divide{}, centred, deviation);
          })));
}

}  // namespace mo::transformations
