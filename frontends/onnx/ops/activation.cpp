#include "ops/activations.hpp"

#include <cmath>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"

namespace mo::onnx {
namespace {

/// A function without parameters. Opset 1 also had `consumed_inputs`, a memory hint.
template <class T>
Expected<Op> plain(const FrameworkNode&) {
  return T{};
}

Expected<Op> elu(const FrameworkNode& node) { return ops::Elu{.alpha = node.attr("alpha", 1.0)}; }

Expected<Op> gelu(const FrameworkNode& node) {
  const std::string approximate = node.attr("approximate", "none");
  if (approximate == "none") return ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf};
  if (approximate == "tanh") return ops::v7::Gelu{.approximation_mode = ops::GeluMode::tanh};
  return node.error("MO-ONNX-0120", "approximate is \"{}\"", approximate).hint("it is one of none, tanh");
}

/// LeakyRelu(x) {alpha} -> PReLU(x, alpha)
Replacement leaky_relu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::PReLU{}, node.input(0), number_like(rw, node.input(0), node.attr("alpha", 0.01)));
}

/// Selu(x) {alpha, gamma} -> Selu(x, alpha, gamma)
Replacement selu(const FrameworkNode& node, Rewriter& rw, double usual_alpha, double usual_gamma) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const Value alpha = number_like(rw, x, node.attr("alpha", usual_alpha));
  const Value gamma = number_like(rw, x, node.attr("gamma", usual_gamma));
  return rw.create(ops::Selu{}, x, alpha, gamma);
}

/// The defaults got more digits with Selu-6.
Replacement selu_of_opset_1(const FrameworkNode& node, Rewriter& rw) { return selu(node, rw, 1.6732, 1.0507); }
Replacement selu_of_opset_6(const FrameworkNode& node, Rewriter& rw) {
  return selu(node, rw, 1.67326319217681884765625, 1.05070102214813232421875);
}

/// HardSigmoid(x) {alpha, beta} -> HardSigmoid(x, alpha, beta)
Replacement hard_sigmoid(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  return rw.create(ops::HardSigmoid{}, x, number_like(rw, x, node.attr("alpha", 0.2)),
                   number_like(rw, x, node.attr("beta", 0.5)));
}

/// Celu(x) -> alpha * Elu(x / alpha); max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) in general
Replacement celu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const auto alpha = node.attr("alpha", 1.0);
  if (alpha == 1) return rw.create(ops::Elu{.alpha = 1}, x);
  if (alpha == 0 || !std::isfinite(alpha))
    return node.error("MO-ONNX-0122", "alpha is {}", alpha)
        .hint("Celu divides by alpha: it must be a number other than 0");
  const Value scaled = rw.create(ops::Divide{}, x, number_like(rw, x, alpha));
  if (alpha > 0) return rw.create(ops::Multiply{}, rw.create(ops::Elu{.alpha = 1}, scaled), number_like(rw, x, alpha));
  const Value rise = rw.create(ops::Subtract{}, rw.create(ops::Exp{}, scaled), number_like(rw, x, 1));
  const Value below =
      rw.create(ops::Minimum{}, rw.create(ops::Multiply{}, rise, number_like(rw, x, alpha)), number_like(rw, x, 0));
  return rw.create(ops::Add{}, rw.create(ops::ReLU{}, x), below);
}

/// ThresholdedRelu(x) -> x where x > alpha, else 0
Replacement thresholded_relu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const Value above = rw.create(ops::Greater{}, x, number_like(rw, x, node.attr("alpha", 1.0)));
  return rw.create(ops::Select{}, above, x, number_like(rw, x, 0));
}

/// Shrink(x) -> x + bias where x < -lambd, x - bias where x > lambd, else 0
Replacement shrink(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value x = node.input(0);
  const auto lambd = node.attr("lambd", 0.5);
  const auto bias = node.attr("bias", 0.0);
  const Value offset = number_like(rw, x, bias);
  const Value below = rw.create(ops::Less{}, x, number_like(rw, x, -lambd));
  const Value above = rw.create(ops::Greater{}, x, number_like(rw, x, lambd));
  const Value high =
      rw.create(ops::Select{}, above, bias == 0 ? x : rw.create(ops::Subtract{}, x, offset), number_like(rw, x, 0));
  return rw.create(ops::Select{}, below, bias == 0 ? x : rw.create(ops::Add{}, x, offset), high);
}

/// PRelu-7 broadcasts the slope by numpy rules. The IR's PReLU does the same except for a vector, which it may take as
/// one slope per channel: it becomes a row, or, while ranks are not known, PRelu(x, slope) -> max(x, 0) + slope *
/// min(x, 0).
Replacement prelu(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  const Value slope = node.input(1);
  const auto rank = x.type().shape.rank();
  const auto slope_rank = slope.type().shape.rank();
  if (has_one_element(slope) || (slope_rank && *slope_rank != 1) || (rank && *rank < 2))
    return rw.create(ops::PReLU{}, x, slope);
  if (rank && slope_rank) return rw.create(ops::PReLU{}, x, rw.create(ops::Reshape{}, slope, rw.integers({1, -1})));
  const Value below = rw.create(ops::Minimum{}, x, number_like(rw, x, 0));
  return rw.create(ops::Add{}, rw.create(ops::ReLU{}, x), rw.create(ops::Multiply{}, below, slope));
}

/// Clip-1 and Clip-6 have the bounds as attributes, which are all finite f32 numbers by default: what Clamp has.
Expected<Op> clip_by_attributes(const FrameworkNode& node) {
  const auto low = node.attr("min", -ops::Clamp::kOpenEnd);
  const auto high = node.attr("max", ops::Clamp::kOpenEnd);
  if (!(low <= high))
    return node.error("MO-ONNX-0121", "min {} is above max {}", low, high)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return ops::Clamp{.min = low, .max = high};
}

/// A bound that is one known, finite, real number.
std::optional<double> known_bound(const Value& bound) {
  if (!is_real(type_of(bound).element_type)) return std::nullopt;
  const auto number = single_real_of(bound);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Clip(x, min, max) -> Clamp(x) for two known real bounds, else min(max(x, low), high): one bound alone must let
/// infinity through, and integers have more digits than attributes. With min > max the result is max.
Replacement clip_by_inputs(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  Value x = node.input(0);
  const Value low = node.input(1);
  const Value high = node.input(2);
  const auto low_number = known_bound(low);
  const auto high_number = known_bound(high);
  if (low_number && high_number && *low_number <= *high_number)
    return rw.create(ops::Clamp{.min = *low_number, .max = *high_number}, x);
  if (low) x = rw.create(ops::Maximum{}, x, low);
  return high ? rw.create(ops::Minimum{}, x, high) : x;
}

/// x * sigmoid(alpha * x)
Value swish(const FrameworkNode& node, Rewriter& rw) {
  const Value x = node.input(0);
  const double alpha = node.attr("alpha", 1.0);
  return alpha == 1 ? rw.create(ops::Swish{}, x) : rw.create(ops::Swish{}, x, number_like(rw, x, alpha));
}

Replacement swish_of_onnx(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return swish(node, rw);
}

/// SwiGLU-28(gate, x) -> swish(gate) * x
Replacement swish_gated_unit(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  return rw.create(ops::Multiply{}, swish(node, rw), node.input(1));
}

}  // namespace

/// Later versions of most of these differ in element types only.
void register_activation(OperatorTable& table) {
  table.extract("Relu", since(1), plain<ops::ReLU>);
  table.extract("Sigmoid", since(1), plain<ops::Sigmoid>);
  table.extract("Tanh", since(1), plain<ops::Tanh>);
  table.extract("Softplus", since(1), plain<ops::SoftPlus>);
  table.extract("Softsign", since(1), plain<ops::SoftSign>);
  table.extract("HardSwish", since(14), plain<ops::HSwish>);
  table.extract("Mish", since(18), plain<ops::Mish>);
  table.extract("Gelu", since(20), gelu);
  table.translate("Swish", since(24), swish_of_onnx);
  table.translate("SwiGLU", since(28), swish_gated_unit);
  table.extract("Elu", since(1), elu);
  table.translate("LeakyRelu", since(1), leaky_relu);
  table.translate("ThresholdedRelu", since(10), thresholded_relu);
  table.translate("Celu", since(12), celu);
  table.translate("Selu", versions(1, 5), selu_of_opset_1);
  table.translate("Selu", since(6), selu_of_opset_6);
  table.translate("HardSigmoid", since(1), hard_sigmoid);
  table.translate("Shrink", since(9), shrink);
  // Until opset 6 a vector of slopes belongs to the channels, as in the IR; then it broadcasts from the last dimension.
  table.extract("PRelu", versions(1, 6), plain<ops::PReLU>);
  table.translate("PRelu", since(7), prelu);
  table.extract("Clip", versions(1, 10), clip_by_attributes);
  table.translate("Clip", since(11), clip_by_inputs);
}

}  // namespace mo::onnx
