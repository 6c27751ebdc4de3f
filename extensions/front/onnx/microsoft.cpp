#include "extensions/support/onnx_operands.hpp"
#include "ops/activations.hpp"
#include "ops/broadcast.hpp"
#include "ops/mvn.hpp"
#include "ops/split.hpp"

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

/// BiasSplitGelu(x, b) -> left * Gelu(right), the halves of x + b along the last axis
Replacement bias_split_gelu(const Node& node, Rewriter& rw) {
  const Value sum = rw.create(ops::Add{}, node.input(0), node.input(1));
  const Node halves = rw.create_node(ops::Split{.num_splits = 2}, {sum, rw.scalar<std::int64_t>(-1)}, 2);
  return rw.create(ops::Multiply{}, halves.output(0), rw.create(ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf}, halves.output(1)));
}

/// BiasAdd(x, b, skip) -> x + b + skip; BiasDropout without training likewise, with an optional skip
Replacement bias_add(const Node& node, Rewriter& rw) {
  Value sum = rw.create(ops::Add{}, node.input(0), node.input(1));
  if (node.input(2)) sum = rw.create(ops::Add{}, sum, node.input(2));
  Outputs outputs(node.out_port_count());
  outputs[0] = sum;
  return outputs;
}

double epsilon_of(const Node& node, double usual) { return node.attr<double>("epsilon").value_or(usual); }

/// x normalised over the last axis * gamma + beta; gamma and beta may be empty. `root`: by the root of the mean square, without a mean.
Value layer_norm(Rewriter& rw, const Value& x, const Value& gamma, const Value& beta, double epsilon, bool root) {
  Value y;
  if (root) {
    const Value axes = rw.integers({-1});
    const Value square = rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, x, x), axes);
    y = rw.create(ops::Divide{}, x, rw.create(ops::Sqrt{}, rw.create(ops::Add{}, square, number_like(rw, x, epsilon))));
  } else {
    y = rw.create(ops::MVN{.eps = epsilon, .eps_mode = ops::MVNEpsMode::inside_sqrt, .normalize_variance = true}, x, rw.integers({-1}));
  }
  if (gamma) y = rw.create(ops::Multiply{}, y, gamma);
  return beta ? rw.create(ops::Add{}, y, beta) : y;
}

/// SkipLayerNormalization(x, skip, gamma, beta, bias) -> MVN(x + skip + bias) over the last axis * gamma + beta; output 3: the sum.
/// SkipSimplifiedLayerNormalization(x, skip, gamma, bias) likewise by the root mean square.
Replacement skip_layer_normalization(const Node& node, Rewriter& rw) {
  const bool root = node.attr<bool>("root").value_or(false);
  Value sum = rw.create(ops::Add{}, node.input(0), node.input(1));
  if (const Value bias = node.input(root ? 3 : 4)) sum = rw.create(ops::Add{}, sum, bias);
  Outputs outputs(node.out_port_count());
  outputs[0] = layer_norm(rw, sum, node.input(2), root ? Value() : node.input(3), epsilon_of(node, 1e-12), root);
  if (outputs.size() > 3) outputs[3] = sum;
  return outputs;
}

/// SimplifiedLayerNormalization(x, gamma) -> x / sqrt(mean(x^2) + epsilon) * gamma over the axes from `axis` on. With stash_type=1 the
/// normalisation is done in f32, and its result is rounded to the type of x before gamma applies. Output 1: 1 / sqrt(mean(x^2) + epsilon).
Replacement simplified_layer_normalization(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  MO_ASSIGN(const Value axes, axes_from_attribute(node, rw));
  const bool in_f32 = node.attr<std::int64_t>("stash_type").value_or(1) == 1;
  const Value data = in_f32 ? as_type(rw, x, ElementType::f32) : x;
  const Value square = rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, data, data), axes);
  const Value deviation = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, square, number_like(rw, data, epsilon_of(node, 1e-5))));
  Value y = rw.create(ops::Divide{}, data, deviation);
  if (data != x) y = as_type_of(rw, y, x);
  Outputs outputs(node.out_port_count());
  outputs[0] = rw.create(ops::Multiply{}, y, node.input(1));
  if (outputs.size() > 1) outputs[1] = rw.create(ops::Divide{}, number_like(rw, data, 1), deviation);
  return outputs;
}

/// Inputs: ids [B, S], segments, words [V, H], positions [M, H], segment table, gamma, beta, mask [B, S], position ids. Outputs: the
/// normalised sum of what the tables hold, the number of ones in each row of the mask (zeros without one), the sum itself.
Replacement embed_layer_normalization(const Node& node, Rewriter& rw) {
  const Value ids = node.input(0);
  const Value rows = rw.scalar<std::int64_t>(0);
  const auto look_up = [&](const Value& table, const Value& places) { return rw.create(ops::Gather{}, table, places, rows); };
  Value position = node.input(8);
  if (!position) position = count_up(rw, dimension_of(rw, ids, 1), ElementType::i64);
  Value sum = rw.create(ops::Add{}, look_up(node.input(2), ids), look_up(node.input(3), position));
  if (node.input(1)) {
    if (!node.input(4)) return missing_input(node);
    sum = rw.create(ops::Add{}, sum, look_up(node.input(4), node.input(1)));
  }
  Outputs outputs(node.out_port_count());
  outputs[0] = layer_norm(rw, sum, node.input(5), node.input(6), epsilon_of(node, 1e-12), false);
  if (outputs.size() > 1) {
    if (const Value mask = node.input(7)) {
      outputs[1] = rw.create(ops::ReduceSum{}, as_type(rw, mask, ElementType::i32), rw.integers({1}));
    } else {
      outputs[1] = rw.create(ops::Broadcast{}, rw.scalar<std::int32_t>(0), length_along(rw, ids, 0));
    }
  }
  if (outputs.size() > 2) outputs[2] = sum;
  return outputs;
}

}  // namespace

void register_microsoft(PassRegistry& passes) {
  passes.add(front_replacement_op("MicrosoftBiasGelu").replace_op(needing(1, bias_gelu)));
  passes.add(front_replacement_op("MicrosoftQuickGelu").replace_op(needing(1, quick_gelu)));
  passes.add(front_replacement_op("MicrosoftBiasSplitGelu").replace_op(needing(2, bias_split_gelu)));
  passes.add(front_replacement_op("MicrosoftBiasAdd").replace_op(needing(2, bias_add)));
  passes.add(front_replacement_op("MicrosoftSkipLayerNormalization").replace_op(needing(3, skip_layer_normalization)));
  passes.add(front_replacement_op("MicrosoftSimplifiedLayerNormalization").replace_op(needing(2, simplified_layer_normalization)));
  // Masks of attentions that it makes are recognised by its name.
  passes.add(front_replacement_op("MicrosoftEmbedLayerNormalization")
                 .run_after({"MicrosoftAttention", "MicrosoftMultiHeadAttention"})
                 .replace_op(needing(1, [](const Node& node, Rewriter& rw) -> Replacement {
                   for (const std::size_t i : {2, 3, 5, 6})
                     if (!node.input(i)) return missing_input(node);
                   return embed_layer_normalization(node, rw);
                 })));
}

}  // namespace mo::front::onnx
