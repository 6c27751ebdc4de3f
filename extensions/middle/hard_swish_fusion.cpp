#include "extensions/middle/support/matching.hpp"
#include "ops/pattern.hpp"

namespace mo::middle {
namespace {

using namespace pattern;

/// relu6(x + 3) in each spelling.
Pat relu6_of_shifted(const Pat& x) {
  const Pat shifted = x + number(3);
  return any_of(clamp(shifted, 0, 6), min(any_of(relu(shifted), max(shifted, number(0))), number(6)), max(min(shifted, number(6)), number(0)),
                relu(min(shifted, number(6))));
}

Pat sixth(const Pat& e) { return any_of(e / number(6), e * number(1.0 / 6)); }

}  // namespace

/// x * relu6(x + 3) / 6 -> HSwish(x), relu6(x + 3) / 6 -> HSigmoid(x).
void register_hard_swish_fusion(PassRegistry& passes) {
  const Pat x = any();
  const Pat relu6 = relu6_of_shifted(x);
  passes.add(rewrite("HSwishFusion")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .match(any_of(sixth(x * relu6), x * sixth(relu6), sixth(x) * relu6, x * op<ops::HSigmoid>(x)))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   if (!is_activation_of(m, m[x])) return declined("not a function of x alone that nobody else reads");
                   return rw.create(ops::HSwish{}, m[x]);
                 }));
  passes.add(rewrite("HSigmoidFusion")
                 .run_after({"HSwishFusion"})
                 .run_before({"LinearOperationFusion"})
                 .match(sixth(relu6))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   if (!is_activation_of(m, m[x])) return declined("not a function of x alone that nobody else reads");
                   return rw.create(ops::HSigmoid{}, m[x]);
                 }));
}

}  // namespace mo::middle
