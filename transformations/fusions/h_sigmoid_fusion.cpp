#include "transformations/fusions/support/activation_rule.hpp"
#include "transformations/fusions/support/hard_sigmoid.hpp"

namespace mo::transformations {

/// relu6(x + 3) / 6 -> HSigmoid(x)
void register_h_sigmoid_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat relu6 = shifted_relu6(x);
  const Pat clamped = shifted_clamp(x);
  const Pat limited = shifted_limits(x);
  const auto rule = [&](const char* name, const Pat& root) { return activation_rule(name, root, x, ops::HSigmoid{}); };
  passes.add(
      graph_rewrite("HSigmoidFusion")
          .described("relu6(x + 3) / 6 in its spellings", "HSigmoid(x)",
                     "x is real; intermediate results have no other readers; the constants do not change its shape")
          .run_after({"HSwishFusion"})
          .run_before({"LinearOperationFusion"})
          .add(rule("HSigmoidFusionWithReluDiv", relu6 / number(6)))
          .add(rule("HSigmoidFusionWithReluMul", relu6 * number(1.0 / 6)))
          .add(rule("HSigmoidFusionWithoutRelu", any_of(limited / number(6), limited * number(1.0 / 6))))
          .add(rule("HSigmoidFusionWithClampMul", clamped * number(1.0 / 6)))
          .add(rule("HSigmoidFusionWithClampDiv", clamped / number(6))));
}

}  // namespace mo::transformations
