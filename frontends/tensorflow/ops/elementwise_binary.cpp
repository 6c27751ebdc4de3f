#include "ops/elementwise_binary.hpp"

#include <numbers>

#include "frontends/tensorflow/ops/support/complex_numbers.hpp"
#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/bitwise.hpp"
#include "ops/build/term.hpp"

namespace mo::tensorflow {
namespace {

/// An op that works on the parts of complex numbers one by one: a trailing dimension of 2 does not disturb it.
template <class T>
Extractor by_parts() {
  return [](const FrameworkNode& node) -> Expected<Op> {
    if (!is_complex(node)) MO_TRY(number_type(node));
    return T{};
  };
}

Replacement multiply_numbers(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  if (is_complex(node)) return complex_product(rw, node.input(0), node.input(1));
  MO_TRY(number_type(node));
  return rw.create(ops::Multiply{}, node.input(0), node.input(1));
}

/// TensorFlow Div rounds integer quotients towards zero, as C++ does; RealDiv has none.
Replacement divide_numbers(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  if (is_complex(node)) return complex_quotient(rw, node.input(0), node.input(1));
  MO_TRY(number_type(node));
  return rw.create(ops::Divide{.m_pythondiv = !is_integral(node.input_type(0).element_type)}, node.input(0),
                   node.input(1));
}

/// The rounding of an integer quotient is an attribute, that of a real one an op: FloorDiv(x, y) -> Floor(x / y)
Replacement floor_div(const FrameworkNode& node, Rewriter& rw) {
  const Value quotient = rw.create(ops::Divide{}, node.input(0), node.input(1));
  return is_integral(node.input_type(0).element_type) ? quotient : rw.create(ops::Floor{}, quotient);
}

/// TruncateDiv(x, y) of reals -> Ceiling(x / y) below 0, else Floor(x / y)
Replacement truncate_div(const FrameworkNode& node, Rewriter& rw) {
  const Term quotient = term(rw, rw.create(ops::Divide{.m_pythondiv = false}, node.input(0), node.input(1)));
  if (is_integral(node.input_type(0).element_type)) return quotient.value();
  return choose(less(quotient, 0), quotient.apply(ops::Ceiling{}), floored(quotient)).value();
}

/// `result` where `guard` is not 0, else 0.
Value zero_where_zero(const Term& guard, const Value& result) {
  const Term zero = guard.number(0);
  return choose(equal(guard, zero), zero, {guard.rewriter(), result, guard.type()});
}

/// DivNoNan(x, y) -> Select(y == 0, 0, x / y)
Replacement div_no_nan(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  if (is_complex(node)) return complex_quotient_or_zero(rw, node.input(0), node.input(1));
  MO_TRY(number_type(node));
  return zero_where_zero(term(rw, node.input(1)), rw.create(ops::Divide{}, node.input(0), node.input(1)));
}

/// MulNoNan(x, y) -> Select(y == 0, 0, x * y), also for infinite x
Replacement mul_no_nan(const FrameworkNode& node, Rewriter& rw) {
  return zero_where_zero(term(rw, node.input(1)), rw.create(ops::Multiply{}, node.input(0), node.input(1)));
}

/// Xdivy(x, y) -> Select(x == 0, 0, x / y)
Replacement xdivy(const FrameworkNode& node, Rewriter& rw) {
  return zero_where_zero(term(rw, node.input(0)), rw.create(ops::Divide{}, node.input(0), node.input(1)));
}

/// Xlogy(x, y) -> Select(x == 0, 0, x * log(y))
Replacement xlogy(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  return zero_where_zero(x, x * term(rw, node.input(1)).apply(ops::Log{}));
}

/// Xlog1py(x, y) -> Select(x == 0, 0, x * log(1 + y))
Replacement xlog1py(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  return zero_where_zero(x, x * (term(rw, node.input(1)) + 1).apply(ops::Log{}));
}

/// Atan2(y, x): the angle of the point (x, y). atan(y / x) knows it for x > 0; left of the axis half a turn is added in
/// the direction of y, and on the axis the sign of y decides. On the diagonals the signs are the quotient: both may be
/// infinite there.
Replacement angle_of_point(const FrameworkNode& node, Rewriter& rw) {
  constexpr double kHalfTurn = std::numbers::pi;
  const Term y = term(rw, node.input(0));
  const Term x = term(rw, node.input(1));
  const Term is_diagonal = y.apply(ops::Abs{}).test(ops::Equal{}, x.apply(ops::Abs{}));
  const Term sign = y.apply(ops::Sign{});
  const Term angle = choose(is_diagonal, sign * x.apply(ops::Sign{}), y / x).apply(ops::Atan{});
  const Term on_the_left = choose(less(y, 0), angle - kHalfTurn, angle + kHalfTurn);
  const Term beside = choose(less(x, 0), on_the_left, angle);
  return choose(equal(x, 0), sign * (kHalfTurn / 2), beside).value();
}

/// AddN(a, b, c) -> (a + b) + c
Replacement add_n(const FrameworkNode& node, Rewriter& rw) {
  node.ignore({"N", "shape"}, "number and shape of the inputs");
  if (!is_complex(node)) MO_TRY(number_type(node));
  MO_TRY(node.expect_inputs(std::max<std::size_t>(node.input_count(), 1)));
  Value sum = node.input(0);
  for (std::size_t i = 1; i < node.input_count(); ++i) sum = rw.create(ops::Add{}, sum, node.input(i));
  return sum;
}

/// BiasAdd(x, bias): along the last dimension, or with NCHW along dimension 1
Replacement bias_add(const FrameworkNode& node, Rewriter& rw) {
  const std::string format = node.attr("data_format", "NHWC");
  if (format != "NHWC" && format != "NCHW")
    return node.error("MO-TF-0502", "data_format is \"{}\"", format).hint("it is one of NHWC, NCHW");
  const Value bias = format == "NCHW" ? per_channel(rw, node.input(1), node.input(0)) : node.input(1);
  return rw.create(ops::Add{}, node.input(0), bias);
}

}  // namespace

/// Functions of two tensors, element by element; shapes broadcast as in numpy.
void register_elementwise_binary(OperatorTable& table) {
  table.extract("Add", by_parts<ops::Add>());
  table.extract("AddV2", by_parts<ops::Add>());
  table.extract("Sub", by_parts<ops::Subtract>());
  table.translate("AddN", add_n);
  table.translate("AccumulateNV2", add_n);
  table.translate("Mul", multiply_numbers);
  table.translate("RealDiv", divide_numbers);
  table.translate("Div", divide_numbers);
  table.translate("FloorDiv", of_numbers(2, floor_div));
  table.translate("TruncateDiv", of_numbers(2, truncate_div));
  // TensorFlow Mod and TruncateMod: the remainder has the sign of the dividend; FloorMod: that of the divisor.
  table.extract("Mod", plain<ops::Mod>());
  table.extract("TruncateMod", plain<ops::Mod>());
  table.extract("FloorMod", plain<ops::FloorMod>());
  table.extract("Maximum", plain<ops::Maximum>());
  table.extract("Minimum", plain<ops::Minimum>());
  table.extract("Pow", plain<ops::Power>());
  table.extract("SquaredDifference", plain<ops::SquaredDifference>());
  table.extract("BitwiseAnd", plain<ops::BitwiseAnd>());
  table.extract("BitwiseOr", plain<ops::BitwiseOr>());
  table.extract("BitwiseXor", plain<ops::BitwiseXor>());
  table.extract("LeftShift", plain<ops::BitwiseLeftShift>());
  table.extract("RightShift", plain<ops::BitwiseRightShift>());

  table.translate("DivNoNan", div_no_nan);
  table.translate("MulNoNan", of_numbers(2, mul_no_nan));
  table.translate("Xdivy", of_numbers(2, xdivy));
  table.translate("Xlogy", of_numbers(2, xlogy));
  table.translate("Xlog1py", of_numbers(2, xlog1py));
  table.translate("Atan2", of_numbers(2, angle_of_point));

  table.translate("BiasAdd", of_numbers(2, bias_add));
  // BiasAddV1 has no data_format: the channels are last.
  table.extract("BiasAddV1", plain<ops::Add>());
}

}  // namespace mo::tensorflow
