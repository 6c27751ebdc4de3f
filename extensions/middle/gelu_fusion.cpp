#include <cmath>
#include <numbers>

#include "extensions/middle/support/matching.hpp"
#include "ops/activations.hpp"
#include "ops/pattern.hpp"

namespace mo::middle {
namespace {

using namespace pattern;

/// x * (1 + phi) / 2 -> Gelu(x), in each order of the factors.
RewriteRule gelu(std::string name, const Pat& x, const Pat& phi, ops::GeluMode mode) {
  const auto half = [](const Pat& e) { return any_of(e * number(0.5), e / number(2)); };
  const Pat sum = phi + number(1);
  return rewrite(std::move(name))
      .match(any_of(half(x) * sum, half(x * sum), x * half(sum), x * (half(phi) + number(0.5))))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        if (!is_activation_of(m, m[x])) return declined("not a function of x alone that nobody else reads");
        return rw.create(ops::v7::Gelu{.approximation_mode = mode}, m[x]);
      });
}

/// phi = erf(x / sqrt(2))
RewriteRule by_erf() {
  const Pat x = any();
  return gelu("GeluErfFusion", x, op<ops::Erf>(any_of(x / number(std::numbers::sqrt2), x * number(1 / std::numbers::sqrt2))), ops::GeluMode::erf);
}

/// phi = tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))
RewriteRule by_tanh() {
  constexpr double kCubic = 0.044715;
  const double factor = std::sqrt(2 / std::numbers::pi);
  const Pat x = any();
  const Pat square = any_of(x * x, pow(x, number(2)));
  const Pat cube = any_of(pow(x, number(3)), x * square);
  const Pat scaled_cube = any_of(cube * number(kCubic), x * (square * number(kCubic)), (x * number(kCubic)) * square);
  const Pat argument = any_of((x + scaled_cube) * number(factor), (x * number(factor)) * (square * number(kCubic) + number(1)),
                              x * (square * number(factor * kCubic) + number(factor)), (x * (square * number(kCubic) + number(1))) * number(factor));
  return gelu("GeluTanhFusion", x, tanh(argument), ops::GeluMode::tanh);
}

}  // namespace

/// The Gaussian error linear unit, exact or approximated.
void register_gelu_fusion(PassRegistry& passes) {
  passes.add(graph_rewrite("GeluFusion").run_after({"CommonSubexpressions"}).run_before({"LinearOperationFusion"}).add(by_erf()).add(by_tanh()));
}

}  // namespace mo::middle
