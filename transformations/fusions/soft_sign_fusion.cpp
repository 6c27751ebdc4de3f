#include "ops/pattern.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

/// x / (1 + |x|) -> SoftSign(x)
void register_soft_sign_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  passes.add(rewrite("SoftSignFusion")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .match(x / (op<ops::Abs>(x) + number(1)))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   if (!is_activation_of(m, m[x]))
                     return declined("not a function of x alone, or it has another reader");
                   return rw.create(ops::SoftSign{}, m[x]);
                 }));
}

}  // namespace mo::transformations
