#include "core/registry/pass_registry.hpp"
#include "ops/build/term.hpp"
#include "ops/soft_max.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_log_softmax_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("LogSoftmaxDecomposition")
          .described("LogSoftmax(x)", "y - Log(ReduceSum(Exp(y))), y = x - ReduceMax(x)")
          .match(pattern::op<ops::LogSoftmax>())
          .replace(of_op<ops::LogSoftmax>([](const Node& node, const ops::LogSoftmax& op, Rewriter& rw) -> Replacement {
            using namespace build;
            const Term x = term(rw, node.input(0));
            const Term y = x - reduced<ops::ReduceKind::max>(x, {op.axis}, true);
            return (y - reduced<ops::ReduceKind::sum>(y.apply(ops::Exp{}), {op.axis}, true).apply(ops::Log{})).value();
          })));
}

}  // namespace mo::transformations
