#include "extensions/middle/support/matching.hpp"
#include "ops/activations.hpp"
#include "ops/pattern.hpp"

namespace mo::middle {

/// x * sigmoid(x) -> Swish(x), x * sigmoid(beta * x) -> Swish(x, beta) for one
/// number beta; also with x / (1 + exp(-beta * x)).
void register_swish_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat beta = one_number();
  const Pat minus_beta = one_number();
  const Pat negative = any_of(op<ops::Negative>(x), x * number(-1));
  const auto divided = [&](const Pat& exponent) { return x / (exp(exponent) + number(1)); };
  const Pat root = any_of(x * sigmoid(x), x * sigmoid(x * beta), divided(negative), divided(op<ops::Negative>(x * beta)), divided(x * minus_beta));

  passes.add(rewrite("SwishFusion")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .match(root)
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   if (!is_activation_of(m, m[x])) return Replacement::declined();
                   if (const Value given = m.find(beta)) return rw.create(ops::Swish{}, m[x], as_scalar(rw, given));
                   if (const Value given = m.find(minus_beta)) return rw.create(ops::Swish{}, m[x], as_scalar(rw, rw.fold(ops::Negative{}, given)));
                   return rw.create(ops::Swish{}, m[x]);
                 }));
}

}  // namespace mo::middle
