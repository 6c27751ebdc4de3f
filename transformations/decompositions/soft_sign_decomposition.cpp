#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_soft_sign_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("SoftSignDecomposition")
          .described("SoftSign(x)", "x / (Abs(x) + 1)")
          .match(pattern::op<ops::SoftSign>())
          .replace(of_op<ops::SoftSign>([](const Node& node, const ops::SoftSign&, Rewriter& rw) -> Replacement {
            const Value x = node.input(0);
            return rw.create(ops::Divide{}, x,
                             rw.create(ops::Add{}, rw.create(ops::Abs{}, x), one_number_for(rw, x, 1)));
          })));
}

}  // namespace mo::transformations
