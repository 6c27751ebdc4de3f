#include "core/registry/pass_registry.hpp"
#include "ops/build/term.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_h_sigmoid_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("HSigmoidDecomposition")
          .described("HSigmoid(x)", "Minimum(ReLU(x + 3), 6) * (1 / 6)")
          .match(pattern::op<ops::HSigmoid>())
          .replace(of_op<ops::HSigmoid>([](const Node& node, const ops::HSigmoid&, Rewriter& rw) -> Replacement {
            using namespace build;
            const Term x = term(rw, node.input(0));
            return (smaller((x + 3).apply(ops::ReLU{}), 6) * (1.0 / 6)).value();
          })));
}

}  // namespace mo::transformations
