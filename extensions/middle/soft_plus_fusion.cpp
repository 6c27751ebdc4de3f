#include "extensions/middle/support/matching.hpp"
#include "ops/pattern.hpp"

namespace mo::middle {

/// log(exp(x) + 1) -> SoftPlus(x), which does not overflow. x *
/// tanh(SoftPlus(x)) -> Mish(x).
void register_soft_plus_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat logarithm = op<ops::Log>(exp(x) + number(1));
  passes.add(rewrite("SoftPlusFusion")
                 .run_after({"MishFusion"})
                 .run_before({"LinearOperationFusion"})
                 .match(logarithm)
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   if (!is_activation_of(m, m[x])) return declined("not a function of x alone that nobody else reads");
                   return rw.create(ops::SoftPlus{}, m[x]);
                 }));
  passes.add(rewrite("MishFusion")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .match(x * tanh(any_of(op<ops::SoftPlus>(x), logarithm)))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   if (!is_activation_of(m, m[x])) return declined("not a function of x alone that nobody else reads");
                   return rw.create(ops::Mish{}, m[x]);
                 }));
}

}  // namespace mo::middle
