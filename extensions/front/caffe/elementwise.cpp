#include <cmath>

#include "extensions/front/caffe/layer_inputs.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"

namespace mo::front::caffe {
namespace {

Value times(Rewriter& rw, const Value& x, double number) { return number == 1 ? x : rw.create(ops::Multiply{}, x, real(rw, number)); }
Value plus(Rewriter& rw, const Value& x, double number) { return number == 0 ? x : rw.create(ops::Add{}, x, real(rw, number)); }
/// The layer's name stays on a node of its own even when nothing is calculated.
Value made(Rewriter& rw, const Value& y, const Value& x) { return y == x ? rw.create(ops::Identity{}, x) : y; }

/// PROD, MAX, or SUM of the bottoms, each multiplied by its coefficient.
Replacement eltwise(const Node& node, Rewriter& rw) {
  const std::string operation = text_of(node, "operation");
  const auto coefficients = node.attr<std::vector<double>>("coeff").value_or(std::vector<double>{});
  Value y;
  for (std::size_t i = 0; i < bottom_count(node); ++i) {
    const Value x = times(rw, node.input(i), i < coefficients.size() ? coefficients[i] : 1);
    if (!y)
      y = x;
    else if (operation == "PROD")
      y = rw.create(ops::Multiply{}, y, x);
    else if (operation == "MAX")
      y = rw.create(ops::Maximum{}, y, x);
    else
      y = rw.create(ops::Add{}, y, x);
  }
  return y;
}

/// Power(x) -> (shift + scale * x) ^ power
Replacement power(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value inner = plus(rw, times(rw, x, real_of(node, "scale")), real_of(node, "shift"));
  const double exponent = real_of(node, "power");
  return exponent == 1 ? made(rw, inner, x) : rw.create(ops::Power{}, inner, real(rw, exponent));
}

/// Exp(x) -> base ^ (shift + scale * x) = base ^ shift * exp(ln(base) * scale * x)
Replacement exponential(const Node& node, Rewriter& rw) {
  const double log_base = real_of(node, "log_base");
  const Value y = rw.create(ops::Exp{}, times(rw, node.input(0), log_base * real_of(node, "scale")));
  return times(rw, y, std::exp(log_base * real_of(node, "shift")));
}

/// Log(x) -> log of (shift + scale * x) to the base
Replacement logarithm(const Node& node, Rewriter& rw) {
  const Value inner = plus(rw, times(rw, node.input(0), real_of(node, "scale")), real_of(node, "shift"));
  return times(rw, rw.create(ops::Log{}, inner), 1 / real_of(node, "log_base"));
}

/// Axpy(a, x, y) -> a * x + y; `a` is [N, C] or [N, C, 1, 1]
Replacement axpy(const Node& node, Rewriter& rw) {
  const Value a = rw.create(ops::Reshape{.special_zero = true}, node.input(0), rw.integers({0, -1, 1, 1}));
  return rw.create(ops::Add{}, rw.create(ops::Multiply{}, node.input(1), a), node.input(2));
}

/// Reduction over all axes from `axis` on, times the coefficient.
Replacement reduction(const Node& node, Rewriter& rw) {
  constexpr std::int64_t kMostAxes = 64;
  const Value x = node.input(0);
  const std::int64_t axis = integer_of(node, "axis");
  if (axis < -kMostAxes || axis > kMostAxes)
    return node.error("MO-CAFFE-0104", "reduction_param.axis is {}", axis).hint("it is an axis of the bottom; a negative one counts from the back");
  Integers from_the_back;
  for (std::int64_t i = axis; i < 0; ++i) from_the_back.push_back(i);
  const Value axes = axis < 0 ? rw.integers(from_the_back) : layer_axes_from(rw, x, axis);
  const std::string operation = text_of(node, "operation");
  Value y;
  if (operation == "MEAN")
    y = rw.create(ops::ReduceMean{}, x, axes);
  else if (operation == "ASUM")
    y = rw.create(ops::ReduceL1{}, x, axes);
  else
    y = rw.create(ops::ReduceSum{}, operation == "SUMSQ" ? rw.create(ops::Multiply{}, x, x) : x, axes);
  return times(rw, y, real_of(node, "coeff"));
}

}  // namespace

void register_elementwise(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeEltwise").replace_op(eltwise));
  passes.add(front_replacement_op("CaffePower").replace_op(power));
  passes.add(front_replacement_op("CaffeExp").replace_op(exponential));
  passes.add(front_replacement_op("CaffeLog").replace_op(logarithm));
  passes.add(front_replacement_op("CaffeAxpy").replace_op(axpy));
  passes.add(front_replacement_op("CaffeReduction").replace_op(reduction));
}

}  // namespace mo::front::caffe
