#include "extensions/library/support/fusing.hpp"
#include "ops/activations.hpp"
#include "ops/reshape.hpp"

namespace mo::library::fusions {
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

/// `root` of x and beta -> Swish(x, beta)
Pass with_beta(std::string name, const Pat& root, const Pat& x, const Pat& beta, std::string before) {
  return rewrite(std::move(name))
      .described(std::move(before), "Swish(x, beta)", "beta has one element, or is a constant of equal elements")
      .match(root)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!is_real(m[x].type().element_type) || !can_stand_for(m.root(), m[x])) return declined("x is not real, or beta changes its shape");
        if (m[beta].node().is<Const>() && may_be_stretched_by(m[x], m[beta])) return declined("beta may change the shape of x");
        const Value scalar = scalar_beta(rw, m[beta]);
        if (!scalar) return declined("beta is not one number");
        return rw.create(ops::Swish{}, m[x], scalar);
      });
}

}  // namespace

void register_swish_fusion(PassLibrary& library) {
  const Pat x = any();
  const Pat beta = any();
  const Pat scaled = x * beta;
  const auto quotient = [&](const Pat& exponent) { return x / (exp(op<ops::Negative>(exponent)) + number(1)); };
  library.add(activation_fusion("SwishFusionWithSigmoid", x * sigmoid(x), x, ops::Swish{}, "x * sigmoid(x)", "Swish(x)"));
  library.add(with_beta("SwishFusionWithSigmoidWithBeta", x * sigmoid(scaled), x, beta, "x * sigmoid(x * beta)"));
  library.add(with_beta("SwishFusionWithBeta", quotient(scaled), x, beta, "x / (1 + exp(-(x * beta)))"));
  library.add(activation_fusion("SwishFusionWithoutBeta", quotient(x), x, ops::Swish{}, "x / (1 + exp(-x))", "Swish(x)"));
  library.add(
      pipeline("SwishFusion")
          .described("x * sigmoid(beta * x) in its spellings", "Swish(x, beta)")
          .group("SwishFusion", {"SwishFusionWithSigmoid", "SwishFusionWithSigmoidWithBeta", "SwishFusionWithBeta", "SwishFusionWithoutBeta"}));
}

}  // namespace mo::library::fusions
