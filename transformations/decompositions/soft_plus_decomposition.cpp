#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_soft_plus_decomposition(PassRegistry& passes) {
  passes.offer(
      rewrite("SoftPlusDecomposition")
          .described("SoftPlus(x)", "Log(Exp(x) + 1)")
          .match(pattern::op<ops::SoftPlus>())
          .replace(of_op<ops::SoftPlus>([](const Node& node, const ops::SoftPlus&, Rewriter& rw) -> Replacement {
            const Value x = node.input(0);
            return rw.create(ops::Log{}, rw.create(ops::Add{}, rw.create(ops::Exp{}, x), one_number_for(rw, x, 1)));
          })));
}

}  // namespace mo::transformations
