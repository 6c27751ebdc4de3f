#include "frontends/onnx/ops/support/activated.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::onnx {

Expected<Value> activated(const FrameworkNode& node, Rewriter& rw, const Value& x, std::string_view activation,
                          const std::vector<double>& parameters) {
  const auto parameter = [&](std::size_t i, double usual) { return i < parameters.size() ? parameters[i] : usual; };
  if (activation.empty()) return x;
  if (activation == "Relu") return rw.create(ops::ReLU{}, x);
  if (activation == "Tanh") return rw.create(ops::Tanh{}, x);
  if (activation == "Sigmoid") return rw.create(ops::Sigmoid{}, x);
  if (activation == "HardSwish") return rw.create(ops::HSwish{}, x);
  if (activation == "Softplus") return rw.create(ops::SoftPlus{}, x);
  if (activation == "Softsign") return rw.create(ops::SoftSign{}, x);
  if (activation == "Gelu") return rw.create(ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf}, x);
  if (activation == "FastGelu") return rw.create(ops::v7::Gelu{.approximation_mode = ops::GeluMode::tanh}, x);
  if (activation == "Elu") return rw.create(ops::Elu{.alpha = parameter(0, 1)}, x);
  if (activation == "LeakyRelu") return rw.create(ops::PReLU{}, x, number_like(rw, x, parameter(0, 0.01)));
  if (activation == "HardSigmoid")
    return rw.create(ops::HardSigmoid{}, x, number_like(rw, x, parameter(0, 0.2)),
                     number_like(rw, x, parameter(1, 0.5)));
  if (activation == "Clip") {
    const ops::Clamp clamp{.min = parameter(0, -ops::Clamp::kOpenEnd), .max = parameter(1, ops::Clamp::kOpenEnd)};
    if (clamp.min <= clamp.max) return rw.create(clamp, x);
    return node.error("MO-ONNX-0446", "the activation Clip has the bounds {} and {}", clamp.min, clamp.max)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  }
  return node.error("MO-ONNX-0446", "the activation \"{}\" is not known", activation)
      .hint(
          "fused operators have Relu, LeakyRelu, Tanh, Sigmoid, Clip, HardSigmoid, HardSwish, Elu …; switch off the "
          "fusion of this one");
}

}  // namespace mo::onnx
