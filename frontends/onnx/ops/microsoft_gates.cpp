#include <cmath>

#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/normalized.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/build/term.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reduce.hpp"

// Gates of decoders with linear attention. ONNX Runtime computes them in f32 whatever the type of the tensors.
namespace mo::onnx {
namespace {

Term in_f32(Rewriter& rw, const Value& x) { return {rw, as_type(rw, x, ElementType::f32), ElementType::f32}; }

/// GatedRMSNorm(x [.., H * C], scale [C], gate like x) -> rows of C elements by their root mean square, * scale *
/// activation(gate)
Replacement gated_rms_norm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const std::string activation = node.attr("activation", "silu");
  if (activation != "silu" && activation != "swish" && activation != "sigmoid")
    return node.error("MO-ONNX-0446", "the activation \"{}\" is not one of GatedRMSNorm", activation)
        .hint("activations are silu, swish and sigmoid");
  const Value x = node.input(0);
  const Value scale = node.input(1);
  if (scale.type().shape.has_rank() && scale.type().shape.size() != 1)
    return node.error("MO-ONNX-0442", "the scale has {} dimensions", scale.type().shape.size())
        .hint("GatedRMSNorm has a vector of scales");
  const TensorType& type = x.type();
  // One row or several: what is not known is taken apart, which changes nothing for one.
  const bool is_row = type.shape.has_rank() && type.shape.size() > 0 && scale.type().shape.has_rank() &&
                      type.shape[type.shape.size() - 1].is_known() &&
                      type.shape[type.shape.size() - 1] == scale.type().shape[0];
  Value rows = as_type(rw, x, ElementType::f32);
  if (!is_row) rows = rw.create(ops::Reshape{}, rows, join(rw, {rw.integers({-1}), length_along(rw, scale, 0)}));
  Value y =
      last_axis_normalized(rw, rows, as_type(rw, scale, ElementType::f32), Value(), node.attr("epsilon", 1e-5), true);
  if (!is_row) y = rw.create(ops::Reshape{}, y, shape_of(rw, x));
  const Term gate = in_f32(rw, node.input(2));
  const Term opened = activation == "sigmoid" ? gate.apply(ops::Sigmoid{}) : gate.apply(ops::Swish{});
  return as_type_of(rw, rw.create(ops::Multiply{}, y, opened), x);
}

/// GatedAdd(x, y, gate [.., 1]) -> x + y * gate; with gate [.., K] and weights [K, 1] the gate is sigmoid(gate *
/// weights).
Replacement gated_add(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  Value gate = node.input(2);
  if (const Value weights = node.input(3)) gate = rw.create(ops::Sigmoid{}, rw.create(ops::MatMul{}, gate, weights));
  return rw.create(ops::Add{}, node.input(0), rw.create(ops::Multiply{}, node.input(1), gate));
}

/// LinearAttentionGate(a, bias, scale, b) -> scale * softplus(a + bias); sigmoid(b)
Replacement linear_attention_gate(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const Term sum = in_f32(rw, node.input(0)) + in_f32(rw, node.input(1));
  Outputs outputs(node.output_count());
  outputs[0] = as_type_of(rw, sum.apply(ops::SoftPlus{}) * in_f32(rw, node.input(2)), node.input(0));
  if (outputs.size() < 2) {
    node.ignore_input(3, "the rate, which nothing asks for");
    return outputs;
  }
  MO_TRY(require_inputs(node, {3}));
  const Value rate = node.input(3);
  outputs[1] = as_type_of(rw, in_f32(rw, rate).apply(ops::Sigmoid{}), rate);
  return outputs;
}

/// EngramGate(keys [B, S, M, H], queries [B, S, M, H], values [B, S, H], scales of both [M, H], scale of output 1 [M,
/// H]): d = sum(norm(key) * norm(query)) / sqrt(H), the gate is sigmoid(sign(d) * sqrt(max(|d|, 1e-6))). Outputs: gate
/// * value, and that normalised.
Replacement engram_gate(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(5));
  const double epsilon = node.attr("epsilon", 1e-5);
  const auto normalised = [&](const Value& x, std::size_t scale) {
    return Term(rw,
                last_axis_normalized(rw, as_type(rw, x, ElementType::f32), in_f32(rw, node.input(scale)), Value(),
                                     epsilon, true),
                ElementType::f32);
  };
  const Term products = normalised(node.input(0), 3) * normalised(node.input(1), 4);
  const Term sums = products.apply(ops::ReduceSum{.keep_dims = true}, rw.integers({-1}));
  const Term size = in_f32(rw, length_along(rw, node.input(2), -1));
  const Term dot = sums / size.apply(ops::Sqrt{});
  const Term root = larger(absolute(dot), 1e-6).apply(ops::Sqrt{});
  const Term gate = (dot.apply(ops::Sign{}) * root).apply(ops::Sigmoid{});
  const Term gated = gate * in_f32(rw, node.input(2)).unsqueezed({2});
  Outputs outputs(node.output_count());
  outputs[0] = as_type_of(rw, gated, node.input(0));
  if (outputs.size() < 2) {
    node.ignore_input(5, "the scale of an output that nothing asks for");
    return outputs;
  }
  MO_TRY(require_inputs(node, {5}));
  outputs[1] = as_type_of(rw, normalised(outputs[0], 5), node.input(0));
  return outputs;
}

}  // namespace

void register_microsoft_gates(OperatorTable& table) {
  table.translate("com.microsoft::GatedRMSNorm", since(1), gated_rms_norm);
  table.translate("com.microsoft::GatedAdd", since(1), gated_add);
  table.translate("com.microsoft::LinearAttentionGate", since(1), linear_attention_gate);
  table.translate("com.microsoft::EngramGate", since(1), engram_gate);
}

}  // namespace mo::onnx
