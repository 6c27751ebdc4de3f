#include "core/registry/operator_table.hpp"
#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::onnx {
namespace {

/// A function without parameters. Opset 1 also had `consumed_inputs`, a memory hint.
template <class T>
Expected<Op> plain(const FrameworkNode& node) {
  node.ignore({"consumed_inputs"});
  return T{};
}

/// A front-only op with one number, `alpha`.
Extractor with_alpha(std::string_view name, double fallback) {
  return [name, fallback](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs"});
    return front_op(name, {{"alpha", node.attr("alpha", fallback)}});
  };
}

Extractor selu(double alpha, double gamma) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs"});
    return front_op("SeluWithNumbers", {{"alpha", node.attr("alpha", alpha)}, {"gamma", node.attr("gamma", gamma)}});
  };
}

Expected<Op> gelu(const FrameworkNode& node) {
  const std::string approximate = node.attr("approximate", "none");
  if (approximate == "none") return ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf};
  if (approximate == "tanh") return ops::v7::Gelu{.approximation_mode = ops::GeluMode::tanh};
  return node.error("MO-ONNX-0120", "approximate is \"{}\"", approximate).hint("it is one of none, tanh");
}

/// Clip-1 and Clip-6 have the bounds as attributes, which are all finite f32 numbers by default: what Clamp has.
Expected<Op> clip_by_attributes(const FrameworkNode& node) {
  node.ignore({"consumed_inputs"});
  const auto low = node.attr("min", -ops::Clamp::kOpenEnd);
  const auto high = node.attr("max", ops::Clamp::kOpenEnd);
  if (!(low <= high)) return node.error("MO-ONNX-0121", "min {} is above max {}", low, high).hint("check how the model was exported");
  return ops::Clamp{.min = low, .max = high};
}

Expected<Op> hardmax(const FrameworkNode& node, std::int64_t fallback, bool rows) {
  return front_op("OnnxHardmax", {{"axis", node.attr("axis", fallback)}, {"rows", rows}});
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
  table.extract("Elu", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs"});
    return ops::Elu{.alpha = node.attr("alpha", 1.0)};
  });
  table.extract("LeakyRelu", since(1), with_alpha("LeakyReluWithNumber", 0.01));
  table.extract("ThresholdedRelu", since(10), with_alpha("OnnxThresholdedRelu", 1.0));
  table.extract("Celu", since(12), with_alpha("OnnxCelu", 1.0));
  // The defaults got more digits with opset 6.
  table.extract("Selu", versions(1, 5), selu(1.6732, 1.0507));
  table.extract("Selu", since(6), selu(1.67326319217681884765625, 1.05070102214813232421875));
  table.extract("HardSigmoid", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs"});
    return front_op("HardSigmoidWithNumbers", {{"alpha", node.attr("alpha", 0.2)}, {"beta", node.attr("beta", 0.5)}});
  });
  table.extract("Shrink", since(9), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxShrink", {{"lambd", node.attr("lambd", 0.5)}, {"bias", node.attr("bias", 0.0)}});
  });
  // Until opset 6 a vector of slopes belongs to the channels, as in the IR; then it broadcasts from the last dimension.
  table.extract("PRelu", versions(1, 6), plain<ops::PReLU>);
  table.extract("PRelu", since(7), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxPRelu"); });
  table.extract("Clip", versions(1, 10), clip_by_attributes);
  table.extract("Clip", since(11), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxClip"); });
  // As Softmax: a matrix that is split at `axis` up to opset 12, along one axis from then on.
  table.extract("Hardmax", versions(1, 12), [](const FrameworkNode& node) { return hardmax(node, 1, true); });
  table.extract("Hardmax", since(13), [](const FrameworkNode& node) { return hardmax(node, -1, false); });
}

}  // namespace mo::onnx
