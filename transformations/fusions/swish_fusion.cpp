#include <algorithm>

#include "ops/activations.hpp"
#include "ops/pattern.hpp"
#include "ops/reshape.hpp"
#include "transformations/fusions/support/activation_rule.hpp"
#include "transformations/support/aligned_shapes.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// beta as the scalar that Swish wants: a Const of equal elements, or a tensor that has one element. Empty for others.
Value scalar_beta(Rewriter& rw, const Value& beta) {
  if (beta.type().rank() == 0) return beta;
  if (beta.node().is<Const>()) {
    const auto numbers = constant_reals_of(beta);
    if (!numbers || numbers->empty()) return {};
    const double first = numbers->front();
    if (std::any_of(numbers->begin(), numbers->end(), [&](double v) { return v != first; })) return {};
    return reals_like(rw, beta, {}, {first});
  }
  if (beta.type().shape.element_count() != 1) return {};
  return rw.create(ops::Reshape{.special_zero = false}, beta, rw.constant(Tensor::of<std::int64_t>({0}, {})));
}

/// `root` of x and beta, or of x and -beta -> Swish(x, beta)
RewriteRule with_beta(std::string name, const Pat& root, const Pat& x, const Pat& beta, const Pat& minus_beta) {
  return rewrite(std::move(name)).match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const Value given = m.find(beta) ? m[beta] : m[minus_beta];
    if (!is_activation_of(m, m[x])) return declined_activation();
    if (given.node().is<Const>() && may_be_stretched_by(m[x], given)) return declined("beta may change the shape of x");
    const Value scalar = scalar_beta(rw, given);
    if (!scalar) return declined("beta is not one number");
    return rw.create(ops::Swish{}, m[x], m.find(beta) ? scalar : rw.fold(ops::Negative{}, scalar));
  });
}

}  // namespace

/// x * sigmoid(x) -> Swish(x), x * sigmoid(beta * x) -> Swish(x, beta) for one number beta; also with x / (1 +
/// exp(-beta * x)).
void register_swish_fusion(PassRegistry& passes) {
  const Pat x = any();
  const Pat beta = any();
  const Pat minus_beta = one_number();
  const Pat minus_x = any_of(op<ops::Negative>(x), x * number(-1));
  const auto divided = [&](const Pat& exponent) { return x / (exp(exponent) + number(1)); };
  const Pat divided_with_beta = any_of(divided(op<ops::Negative>(x * beta)), divided(x * minus_beta));
  passes.add(graph_rewrite("SwishFusion")
                 .described("x * sigmoid(x * beta), x / (1 + exp(-(x * beta)))", "Swish(x, beta)",
                            "x is real; intermediate results have no other readers; beta has one element, or is a "
                            "constant of equal elements; nothing changes the shape of x")
                 .run_after({"CommonSubexpressions"})
                 .run_before({"LinearOperationFusion"})
                 .add(activation_rule("SwishFusionWithSigmoid", x * sigmoid(x), x, ops::Swish{}))
                 .add(with_beta("SwishFusionWithSigmoidWithBeta", x * sigmoid(x * beta), x, beta, minus_beta))
                 .add(activation_rule("SwishFusionWithoutBeta", divided(minus_x), x, ops::Swish{}))
                 .add(with_beta("SwishFusionWithBeta", divided_with_beta, x, beta, minus_beta)));
}

}  // namespace mo::transformations
