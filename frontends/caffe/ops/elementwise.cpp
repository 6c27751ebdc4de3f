#include <algorithm>
#include <array>
#include <cmath>

#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"

namespace mo::caffe {
namespace {

Value times(Rewriter& rw, const Value& x, double number) {
  return number == 1 ? x : rw.create(ops::Multiply{}, x, real(rw, number));
}
Value plus(Rewriter& rw, const Value& x, double number) {
  return number == 0 ? x : rw.create(ops::Add{}, x, real(rw, number));
}

/// PROD, MAX, or SUM of the bottoms, each multiplied by its coefficient.
Replacement eltwise(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms_from(layer, 2));
  MO_TRY(expect_tops(layer, 1));
  node.ignore({"eltwise_param.stable_prod_grad"}, "how gradients are computed");
  const std::string operation = layer.text("eltwise_param.operation", "SUM", {"PROD", "SUM", "MAX"});
  if (operation != "PROD" && operation != "SUM" && operation != "MAX")
    return bad_value(layer, "eltwise_param.operation", operation, "one of PROD, SUM, MAX");
  const std::vector<double> coefficients = layer.reals("eltwise_param.coeff");
  if (!coefficients.empty() && coefficients.size() != layer.bottoms())
    return layer
        .error("MO-CAFFE-0103", "eltwise_param.coeff has {} values for {} bottoms", coefficients.size(),
               layer.bottoms())
        .hint("give one number for each bottom, or none");
  if (!coefficients.empty() && operation != "SUM")
    return layer.error("MO-CAFFE-0103", "eltwise_param.coeff belongs to SUM, the operation is {}", operation)
        .hint("correct the prototxt");
  Value y;
  for (std::size_t i = 0; i < layer.bottoms(); ++i) {
    const Value x = times(rw, layer.bottom(i), coefficients.empty() ? 1 : coefficients[i]);
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

/// The numbers that Power, Exp and Log have; the first is the exponent of Power, the base of the others.
struct LayerNumbers {
  double first = 0;
  double scale = 1;
  double shift = 0;
};

Expected<LayerNumbers> numbers_of(const Layer& layer, std::string_view message, std::string_view first, double usual) {
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  LayerNumbers made{.first = usual};
  for (const auto& [name, number] : {std::pair{first, &made.first}, {"scale", &made.scale}, {"shift", &made.shift}}) {
    const std::string path = fmt::format("{}.{}", message, name);
    *number = layer.real(path, *number);
    if (!std::isfinite(*number)) return bad_value(layer, path, *number, "a finite number");
  }
  return made;
}

/// Power(x) -> (shift + scale * x) ^ power
Replacement power(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_ASSIGN(const LayerNumbers numbers, numbers_of(layer, "power_param", "power", 1));
  const Value x = layer.bottom(0);
  const Value inner = plus(rw, times(rw, x, numbers.scale), numbers.shift);
  if (numbers.first != 1) return rw.create(ops::Power{}, inner, real(rw, numbers.first));
  // The layer's name stays on a node of its own even when nothing is calculated.
  return inner == x ? rw.create(ops::Identity{}, x) : inner;
}

/// The natural logarithm of the base, which is -1 for e.
Expected<double> log_of_base(const Layer& layer, double base, std::string_view path) {
  if (base == -1) return 1.0;
  if (base > 0) return std::log(base);
  return bad_value(layer, path, base, "a positive number, or -1 for e");
}

/// Exp(x) -> base ^ (shift + scale * x) = base ^ shift * exp(ln(base) * scale * x)
Replacement exponential(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_ASSIGN(const LayerNumbers numbers, numbers_of(layer, "exp_param", "base", -1));
  MO_ASSIGN(const double log_base, log_of_base(layer, numbers.first, "exp_param.base"));
  const Value y = rw.create(ops::Exp{}, times(rw, layer.bottom(0), log_base * numbers.scale));
  return times(rw, y, std::exp(log_base * numbers.shift));
}

/// Log(x) -> log of (shift + scale * x) to the base
Replacement logarithm(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_ASSIGN(const LayerNumbers numbers, numbers_of(layer, "log_param", "base", -1));
  MO_ASSIGN(const double log_base, log_of_base(layer, numbers.first, "log_param.base"));
  if (log_base == 0) return bad_value(layer, "log_param.base", 1, "a number other than 1");
  const Value inner = plus(rw, times(rw, layer.bottom(0), numbers.scale), numbers.shift);
  return times(rw, rw.create(ops::Log{}, inner), 1 / log_base);
}

/// SENet: Axpy(a, x, y) -> a * x + y, where `a` has one number for each channel of a sample, [N, C] or [N, C, 1, 1].
Replacement axpy(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3));
  MO_TRY(expect_tops(layer, 1));
  const Value a = rw.create(ops::Reshape{.special_zero = true}, layer.bottom(0), rw.integers({0, -1, 1, 1}));
  return rw.create(ops::Add{}, rw.create(ops::Multiply{}, layer.bottom(1), a), layer.bottom(2));
}

/// Reduction over all axes from `axis` on, times the coefficient.
Replacement reduction(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  const std::string operation = layer.text("reduction_param.operation", "SUM", {"", "SUM", "ASUM", "SUMSQ", "MEAN"});
  constexpr std::array<std::string_view, 4> kOperations = {"SUM", "ASUM", "SUMSQ", "MEAN"};
  if (std::find(kOperations.begin(), kOperations.end(), operation) == kOperations.end())
    return bad_value(layer, "reduction_param.operation", operation, "one of SUM, ASUM, SUMSQ, MEAN");
  constexpr std::int64_t kMostAxes = 64;
  const std::int64_t axis = layer.integer("reduction_param.axis", 0);
  if (axis < -kMostAxes || axis > kMostAxes)
    return bad_value(layer, "reduction_param.axis", axis, "an axis of the bottom; a negative one counts from the back");
  const Value x = layer.bottom(0);
  Integers from_the_back;
  for (std::int64_t i = axis; i < 0; ++i) from_the_back.push_back(i);
  const Value axes = axis < 0 ? rw.integers(from_the_back) : axes_from(rw, x, axis);
  Value y;
  if (operation == "MEAN")
    y = rw.create(ops::ReduceMean{}, x, axes);
  else if (operation == "ASUM")
    y = rw.create(ops::ReduceL1{}, x, axes);
  else
    y = rw.create(ops::ReduceSum{}, operation == "SUMSQ" ? rw.create(ops::Multiply{}, x, x) : x, axes);
  return times(rw, y, layer.real("reduction_param.coeff", 1));
}

}  // namespace

void register_elementwise(OperatorTable& table) {
  table.translate("Eltwise", eltwise);
  table.translate("Power", power);
  table.translate("Exp", exponential);
  table.translate("Log", logarithm);
  table.translate("Axpy", axpy);
  table.translate("Reduction", reduction);
}

}  // namespace mo::caffe
