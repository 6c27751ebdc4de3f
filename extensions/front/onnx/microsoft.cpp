#include "extensions/support/front.hpp"
#include "ops/activations.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/mvn.hpp"

namespace mo::front::onnx {
namespace {

/// BiasGelu(x, b) -> Gelu(x + b); FastGelu likewise with the tanh formula and an optional b
Replacement bias_gelu(const Node& node, Rewriter& rw) {
  const Value x = node.input(1) ? rw.create(ops::Add{}, node.input(0), node.input(1)) : node.input(0);
  const bool tanh = node.attr<std::string>("approximate") == "tanh";
  return rw.create(ops::v7::Gelu{.approximation_mode = tanh ? ops::GeluMode::tanh : ops::GeluMode::erf}, x);
}

/// QuickGelu(x) -> x * sigmoid(alpha * x)
Replacement quick_gelu(const Node& node, Rewriter& rw) {
  return rw.create(ops::Swish{}, node.input(0), number_like(rw, node.input(0), node.attr<double>("alpha").value_or(1.702)));
}

/// FusedMatMul(a, b) -> alpha * MatMul(a, b)
Replacement fused_matmul(const Node& node, Rewriter& rw) {
  const Value product =
      rw.create(ops::MatMul{.transpose_a = node.attr<bool>("transA").value_or(false), .transpose_b = node.attr<bool>("transB").value_or(false)},
                node.input(0), node.input(1));
  const double alpha = node.attr<double>("alpha").value_or(1);
  return alpha == 1 ? product : rw.create(ops::Multiply{}, product, number_like(rw, product, alpha));
}

/// SkipLayerNormalization(x, skip, gamma, beta, bias) -> MVN(x + skip + bias) over the last axis * gamma + beta; output 3: the sum
Replacement skip_layer_normalization(const Node& node, Rewriter& rw) {
  Value sum = rw.create(ops::Add{}, node.input(0), node.input(1));
  if (node.input(4)) sum = rw.create(ops::Add{}, sum, node.input(4));
  const ops::MVN mvn{.eps = node.attr<double>("epsilon").value_or(1e-12), .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true};
  Value y = rw.create(ops::Multiply{}, rw.create(mvn, sum, rw.integers({-1})), node.input(2));
  if (node.input(3)) y = rw.create(ops::Add{}, y, node.input(3));
  Outputs outputs(node.out_port_count());
  outputs[0] = y;
  if (outputs.size() > 3) outputs[3] = sum;
  return outputs;
}

}  // namespace

void register_microsoft(PassRegistry& passes) {
  passes.add(front_replacement_op("MicrosoftBiasGelu").replace_op(bias_gelu));
  passes.add(front_replacement_op("MicrosoftQuickGelu").replace_op(quick_gelu));
  passes.add(front_replacement_op("MicrosoftFusedMatMul").replace_op(fused_matmul));
  passes.add(front_replacement_op("MicrosoftSkipLayerNormalization").replace_op(skip_layer_normalization));
}

}  // namespace mo::front::onnx
