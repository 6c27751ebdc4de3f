#include "ops/pattern.hpp"
#include "transformations/fusions/support/activation_rule.hpp"

namespace mo::transformations {

/// x * tanh(SoftPlus(x)) -> Mish(x), the SoftPlus spelled out or not.
void register_mish_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const auto rule = [&](const char* name, const Pat& root) { return activation_rule(name, root, x, ops::Mish{}); };
  passes.add(
      graph_rewrite("MishFusion")
          .described("x * tanh(SoftPlus(x)), x * tanh(log(exp(x) + 1))", "Mish(x)",
                     "x is real; intermediate results have no other readers; the constant does not change its shape")
          .run_after({"CommonSubexpressions"})
          .run_before({"LinearOperationFusion"})
          .add(rule("SoftPlusToMishFusion", x * tanh(op<ops::SoftPlus>(x).one_use()).one_use()))
          .add(rule("LogarithmToMishFusion", x * tanh(op<ops::Log>(exp(x) + number(1))))));
}

}  // namespace mo::transformations
