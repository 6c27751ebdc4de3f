#include "core/registry/pass_registry.hpp"
#include "ops/build/term.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_h_swish_decomposition(PassRegistry& passes) {
  passes.offer(rewrite("HSwishDecomposition")
                   .described("HSwish(x)", "x * Minimum(ReLU(x + 3), 6) * (1 / 6)")
                   .match(pattern::op<ops::HSwish>())
                   .replace(of_op<ops::HSwish>([](const Node& node, const ops::HSwish&, Rewriter& rw) -> Replacement {
                     using namespace build;
                     const Term x = term(rw, node.input(0));
                     return (x * smaller((x + 3).apply(ops::ReLU{}), 6) * (1.0 / 6)).value();
                   })));
}

}  // namespace mo::transformations
