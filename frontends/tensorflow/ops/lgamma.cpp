#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/term.hpp"

namespace mo::tensorflow {
namespace {

template <std::size_t n>
Term polynomial(const Term& x, const std::array<double, n>& coefficients) {
  Term sum = x.number(coefficients.back());
  for (std::size_t i = n - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

/// log |gamma(x)| for x in [0.5, 3]: (x - 1) (x - 2) R(x), so that it is exact around its zeros. R is a least-squares
/// fit in x - 1 with a relative error of 1.0e-8 (tests/generators/lgamma_fit.py).
Term near_zeros(const Term& x) {
  constexpr std::array<double, 5> kAbove = {0.577215661469, 0.945704518306, 0.453453550244, 0.0601492869531,
                                            0.000601386799329};
  constexpr std::array<double, 5> kBelow = {1, 2.06327721251, 1.39296408258, 0.33993797149, 0.0221743203436};
  const Term u = x - 1;
  return u * (x - 2) * (polynomial(u, kAbove) / polynomial(u, kBelow));
}

/// For x >= 3: Stirling's series up to the power -7.
Term far_away(const Term& x) {
  const Term inverse = 1 / x;
  const Term series =
      polynomial(inverse * inverse, std::array{1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680}) * inverse;
  // In this form an infinite x gives infinity.
  const double rest = std::log(2 * std::numbers::pi) / 2 - 0.5;
  return (x - 0.5) * (x.apply(ops::Log{}) - 1) + (series + rest);
}

Term of_positive(const Term& x) {
  // gamma(x) = gamma(x + 1) / x
  const Term small = less(x, x.number(0.5));
  const Term near = near_zeros(smaller(choose(small, x + 1, x), 3));
  const Term moved = choose(small, near - x.apply(ops::Log{}), near);
  return choose(less_equal(x, x.number(3)), moved, far_away(larger(x, 3)));
}

/// Lgamma(x); for negative x by reflection: |gamma(x) gamma(-x)| = pi / |x sin(pi x)|, in which nothing is rounded
/// before it is used. Integers there are poles, and so is everything below -2^23.
Replacement log_gamma(const FrameworkNode& node, Rewriter& rw) {
  const Term given = term(rw, node.input(0));
  const ElementType type = given.type();
  const Term x = given.as(bit_width(type) < 32 ? ElementType::f32 : type);
  const Term negative = less(x, 0);
  const Term size = absolute(x);
  const Term positive = of_positive(size);
  const Term distance = absolute(x - x.apply(ops::Round{.mode = ops::RoundMode::half_to_even}));
  const Term sine = (distance * std::numbers::pi).apply(ops::Sin{});
  const Term reflected = std::log(std::numbers::pi) - sine.apply(ops::Log{}) - size.apply(ops::Log{}) - positive;
  const Term whole = both(negative, equal(distance, 0));
  const Term pole = whole.test(ops::LogicalOr{}, less_equal(x, -std::ldexp(1.0, 23)));
  const Term result = choose(negative, reflected, positive);
  return choose(pole, result.number(std::numeric_limits<double>::infinity()), result).as(type).value();
}

}  // namespace

void register_lgamma(OperatorTable& table) { table.translate("Lgamma", of_numbers(1, log_gamma)); }

}  // namespace mo::tensorflow
