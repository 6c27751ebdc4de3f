#include <cmath>
#include <numbers>

#include "ops/activations.hpp"
#include "ops/pattern.hpp"
#include "transformations/fusions/support/activation_rule.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

Pat halved(const Pat& e) { return any_of(e * number(0.5), e / number(2)); }

/// phi = erf(x / sqrt(2))
Pat error_function(const Pat& x) {
  return op<ops::Erf>(any_of(x / number(std::numbers::sqrt2), x * number(1 / std::numbers::sqrt2)));
}

/// phi = tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))
Pat hyperbolic_tangent(const Pat& x) {
  constexpr double kCubic = 0.044715;
  const double factor = std::sqrt(2 / std::numbers::pi);
  const Pat square = any_of(x * x, pow(x, number(2)));
  const Pat cube = any_of(pow(x, number(3)), x * square);
  const Pat scaled_cube = any_of(cube * number(kCubic), x * (square * number(kCubic)), (x * number(kCubic)) * square);
  const Pat argument =
      any_of((x + scaled_cube) * number(factor), (x * number(factor)) * (square * number(kCubic) + number(1)),
             x * (square * number(factor * kCubic) + number(factor)),
             (x * (square * number(kCubic) + number(1))) * number(factor));
  return tanh(argument);
}

}  // namespace

/// The Gaussian error linear unit x * (1 + phi) / 2, exact or approximated.
void register_gelu_fusion(PassRegistry& passes) {
  const Pat x = any();
  const auto rule = [&](const char* name, const Pat& root, ops::GeluMode mode) {
    return activation_rule(name, root, x, ops::v7::Gelu{.approximation_mode = mode});
  };
  const Pat erf = error_function(x);
  const Pat sum = erf + number(1);
  const Pat tangent = hyperbolic_tangent(x);
  const Pat tangent_sum = tangent + number(1);
  passes.add(
      graph_rewrite("GeluFusion")
          .described("x * (1 + erf(x / sqrt(2))) / 2 in its spellings, and with the tanh that comes close to erf",
                     "Gelu(x)",
                     "x is real; intermediate results have no other readers; the constants do not change its shape")
          .run_after({"CommonSubexpressions"})
          .run_before({"LinearOperationFusion"})
          .add(rule("GeluFusionWithErfOne", halved(x) * sum, ops::GeluMode::erf))
          .add(rule("GeluFusionWithErfTwo", halved(x * sum), ops::GeluMode::erf))
          .add(rule("GeluFusionWithErfThree", x * halved(sum), ops::GeluMode::erf))
          .add(rule("GeluFusionWithErfFour", x * (halved(erf) + number(0.5)), ops::GeluMode::erf))
          .add(rule("GeluFusionWithTanh",
                    any_of(halved(x) * tangent_sum, halved(x * tangent_sum), x * halved(tangent_sum),
                           x * (halved(tangent) + number(0.5))),
                    ops::GeluMode::tanh)));
}

}  // namespace mo::transformations
