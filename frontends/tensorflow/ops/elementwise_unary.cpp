#include "ops/elementwise_unary.hpp"

#include "frontends/tensorflow/ops/support/complex_numbers.hpp"
#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/bitwise.hpp"
#include "ops/build/term.hpp"
#include "ops/classification.hpp"
#include "ops/logical.hpp"

namespace mo::tensorflow {
namespace {

/// Erfc(x) -> 1 - Erf(x)
Replacement erfc(const FrameworkNode& node, Rewriter& rw) {
  return (1 - term(rw, node.input(0)).apply(ops::Erf{})).value();
}

/// Expm1(x) -> Exp(x) - 1
Replacement expm1(const FrameworkNode& node, Rewriter& rw) {
  return (term(rw, node.input(0)).apply(ops::Exp{}) - 1).value();
}

/// Log1p(x) -> Log(x + 1)
Replacement log1p(const FrameworkNode& node, Rewriter& rw) {
  return (term(rw, node.input(0)) + 1).apply(ops::Log{}).value();
}

/// Exp(x); of a complex number with the angle that its imaginary part is
Replacement exponential(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  if (is_complex(node)) return complex_exp(rw, node.input(0));
  MO_TRY(number_type(node));
  return rw.create(ops::Exp{}, node.input(0));
}

/// Reciprocal(x) -> 1 / x; of integers as C++ divides
Replacement reciprocal(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  if (is_complex(node)) return complex_reciprocal(rw, node.input(0));
  MO_TRY(number_type(node));
  const Term x = term(rw, node.input(0));
  return x.number(1).apply(ops::Divide{.m_pythondiv = !is_integral(x.type())}, x).value();
}

/// Rsqrt(x) -> Power(x, -0.5)
Replacement rsqrt(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  return x.apply(ops::Power{}, x.number(-0.5)).value();
}

/// Square(x) -> x * x
Replacement square(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  if (is_complex(node)) return complex_product(rw, node.input(0), node.input(0));
  MO_TRY(number_type(node));
  return rw.create(ops::Multiply{}, node.input(0), node.input(0));
}

}  // namespace

/// Functions of one tensor, element by element.
void register_elementwise_unary(OperatorTable& table) {
  table.extract("Abs", plain<ops::Abs>());
  table.extract("Acos", plain<ops::Acos>());
  table.extract("Acosh", plain<ops::Acosh>());
  table.extract("Asin", plain<ops::Asin>());
  table.extract("Asinh", plain<ops::Asinh>());
  table.extract("Atan", plain<ops::Atan>());
  table.extract("Atanh", plain<ops::Atanh>());
  table.extract("Ceil", plain<ops::Ceiling>());
  table.extract("Cos", plain<ops::Cos>());
  table.extract("Cosh", plain<ops::Cosh>());
  table.extract("Erf", plain<ops::Erf>());
  table.extract("Floor", plain<ops::Floor>());
  table.extract("Log", plain<ops::Log>());
  table.extract("Sigmoid", plain<ops::Sigmoid>());
  table.extract("Sign", plain<ops::Sign>());
  table.extract("Sin", plain<ops::Sin>());
  table.extract("Sinh", plain<ops::Sinh>());
  table.extract("Sqrt", plain<ops::Sqrt>());
  table.extract("Tan", plain<ops::Tan>());
  table.extract("Tanh", plain<ops::Tanh>());
  table.extract("IsFinite", plain<ops::IsFinite>());
  table.extract("IsInf", plain<ops::IsInf>());
  table.extract("IsNan", plain<ops::IsNaN>());
  table.extract("Invert", plain<ops::BitwiseNot>());
  // TensorFlow Round and Rint: halves go to the even neighbour.
  table.extract("Round", plain(ops::Round{.mode = ops::RoundMode::half_to_even}));
  table.extract("Rint", plain(ops::Round{.mode = ops::RoundMode::half_to_even}));
  table.extract("LogicalNot", [](const FrameworkNode&) -> Expected<Op> { return ops::LogicalNot{}; });
  // The negative of a complex number is that of its parts.
  table.extract("Neg", [](const FrameworkNode& node) -> Expected<Op> {
    if (!is_complex(node)) MO_TRY(number_type(node));
    return ops::Negative{};
  });

  table.translate("Exp", exponential);
  table.translate("Erfc", of_numbers(1, erfc));
  table.translate("Expm1", of_numbers(1, expm1));
  table.translate("Log1p", of_numbers(1, log1p));
  table.translate("Inv", reciprocal);
  table.translate("Reciprocal", reciprocal);
  table.translate("Rsqrt", of_numbers(1, rsqrt));
  table.translate("Square", square);
}

}  // namespace mo::tensorflow
