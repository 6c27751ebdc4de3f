#include "ops/pattern.hpp"
#include "transformations/fusions/support/activation_rule.hpp"

namespace mo::transformations {

/// log(exp(x) + 1) -> SoftPlus(x), which does not overflow.
void register_soft_plus_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  passes.add(
      graph_rewrite("SoftPlusFusion")
          .described("log(exp(x) + 1)", "SoftPlus(x)",
                     "x is real; intermediate results have no other readers; the constant does not change its shape")
          .run_after({"MishFusion"})
          .run_before({"LinearOperationFusion"})
          .add(activation_rule("SoftPlusFusion", op<ops::Log>(exp(x) + number(1)), x, ops::SoftPlus{})));
}

}  // namespace mo::transformations
