#include "ops/activations.hpp"

#include <cmath>

#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/clamp.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/soft_max.hpp"

namespace mo::tensorflow {
namespace {

/// LeakyRelu(x) {alpha} -> PReLU(x, alpha)
Replacement leaky_relu(const FrameworkNode& node, Rewriter& rw) {
  const Value x = node.input(0);
  return rw.create(ops::PReLU{}, x, number_like(rw, x, node.attr("alpha", 0.2)));
}

/// The numbers that make the mean 0 and the variance 1 a fixed point, as TensorFlow Selu has them.
Replacement selu(const FrameworkNode& node, Rewriter& rw) {
  constexpr double kScale = 1.0507009873554804934193349852946;
  constexpr double kScaleAlpha = 1.7580993408473768599402175208123;
  const Value x = node.input(0);
  return rw.create(ops::Selu{}, x, number_like(rw, x, kScaleAlpha / kScale), number_like(rw, x, kScale));
}

/// Hardshrink(x) -> 0 where lower <= x <= upper, else x
Replacement hard_shrink(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  const Term outside = less(x, node.attr("lower", -0.5)).test(ops::LogicalOr{}, greater(x, node.attr("upper", 0.5)));
  return choose(outside, x, 0).value();
}

/// Softshrink(x) -> x - lower below lower, x - upper above upper, else 0: x minus itself limited to the two
Replacement soft_shrink(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  return (x - x.apply(ops::Clamp{.min = node.attr("lower", -0.5), .max = node.attr("upper", 0.5)})).value();
}

/// Tanhshrink(x) -> x - tanh(x)
Replacement tanh_shrink(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  return (x - x.apply(ops::Tanh{})).value();
}

/// Lisht(x) -> x * tanh(x)
Replacement lisht(const FrameworkNode& node, Rewriter& rw) {
  const Term x = term(rw, node.input(0));
  return (x * x.apply(ops::Tanh{})).value();
}

/// A real bound that is a known scalar of the range that Clamp has. Not a vector of one element, which would make a
/// vector of a scalar x.
std::optional<double> clamp_bound(const FrameworkNode& node, std::size_t i) {
  if (!is_real(node.input_type(0).element_type) || node.input_type(i).rank() != 0) return std::nullopt;
  const auto number = single_real_of(node.input(i));
  return number && std::abs(*number) <= ops::Clamp::kOpenEnd ? number : std::nullopt;
}

/// ClipByValue(x, low, high) -> Clamp(x) for two known reals, else min(max(x, low), high)
Replacement clip_by_value(const FrameworkNode& node, Rewriter& rw) {
  const auto low = clamp_bound(node, 1);
  const auto high = clamp_bound(node, 2);
  if (low && high && *low <= *high) return rw.create(ops::Clamp{.min = *low, .max = *high}, node.input(0));
  return rw.create(ops::Minimum{}, rw.create(ops::Maximum{}, node.input(0), node.input(1)), node.input(2));
}

}  // namespace

void register_activation(OperatorTable& table) {
  table.extract("Relu", plain<ops::ReLU>());
  table.extract("Relu6", plain(ops::Clamp{.min = 0, .max = 6}));
  table.extract("Elu", plain(ops::Elu{.alpha = 1}));
  table.translate("Selu", of_numbers(1, selu));
  table.extract("Softplus", plain<ops::SoftPlus>());
  table.extract("Softsign", plain<ops::SoftSign>());
  table.translate("LeakyRelu", of_numbers(1, leaky_relu));
  // Always along the last axis.
  table.extract("Softmax", plain(ops::SoftMax{.axis = -1}));
  table.extract("LogSoftmax", plain(ops::LogSoftmax{.axis = -1}));

  // Names that models have for functions with a gradient of their own, and for kernels of the addons package.
  table.extract("Mish", plain<ops::Mish>());
  table.extract("Swish", plain<ops::Swish>());
  table.extract("swish_f32", plain<ops::Swish>());
  table.extract("Addons>Mish", plain<ops::Mish>());
  table.extract("Addons>Gelu", [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(number_type(node));
    return ops::Gelu{.approximation_mode = node.attr("approximate", true) ? ops::GeluMode::tanh : ops::GeluMode::erf};
  });
  table.translate("Addons>Hardshrink", of_numbers(1, hard_shrink));
  table.translate("Addons>Softshrink", of_numbers(1, soft_shrink));
  table.translate("Addons>Tanhshrink", of_numbers(1, tanh_shrink));
  table.translate("Addons>Lisht", of_numbers(1, lisht));

  table.translate("ClipByValue", of_numbers(3, clip_by_value));
}

}  // namespace mo::tensorflow
