#include <cmath>

#include "extensions/support/attention.hpp"
#include "extensions/support/quantize.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"
#include "ops/split.hpp"
#include "ops/transpose.hpp"

namespace mo::front::onnx {
namespace {

/// What both operators say by attributes.
Attention with_attributes(const Node& node) {
  Attention a;
  const double scale = node.attr<double>("scale").value_or(0);
  if (scale != 0) a.scale = scale;
  a.filter = node.attr<double>("mask_filter_value").value_or(-10000);
  return a;
}

/// 1 / sqrt(H), when the model says how long all heads together are: a number instead of a computation from the shape.
void set_known_scale(Attention& a, const Dimension& size, std::int64_t parts, std::int64_t heads) {
  if (a.scale || !size.is_known() || size.value() < parts * heads || size.value() % (parts * heads) != 0) return;
  a.scale = 1 / std::sqrt(static_cast<double>(size.value() / (parts * heads)));
}

/// Keys (or values) of earlier steps in front of those of this one.
Value behind_past(Rewriter& rw, const Value& past, const Value& now) { return past ? rw.create(ops::Concat{.axis = 2}, past, now) : now; }

/// Row `i` of the first dimension.
Value row_of(Rewriter& rw, const Value& x, std::int64_t i) {
  return rw.create(ops::Gather{}, x, rw.scalar<std::int64_t>(i), rw.scalar<std::int64_t>(0));
}

/// Attention: x [B, S, D] * weights [D, Q + K + V] + bias, split into queries, keys and values of `heads` heads each.
/// Inputs: x, weights, bias, mask, past [2, B, N, P, H], bias of the scores. Outputs: [B, S, V], and [2, B, N, P + S, H].
Replacement attention(const Node& node, Rewriter& rw) {
  Value projected = rw.create(ops::MatMul{}, node.input(0), node.input(1));
  if (node.input(2)) projected = rw.create(ops::Add{}, projected, node.input(2));
  const Value last = rw.scalar<std::int64_t>(-1);
  const auto sizes = node.attr<std::vector<std::int64_t>>("sizes").value_or(std::vector<std::int64_t>{});
  const Node parts = sizes.empty() ? rw.create_node(ops::Split{.num_splits = 3}, {projected, last}, 3)
                                   : rw.create_node(ops::VariadicSplit{}, {projected, last, rw.integers(sizes)}, 3);
  const std::int64_t heads = node.attr<std::int64_t>("num_heads").value_or(1);
  Attention a = with_attributes(node);
  if (!sizes.empty()) {
    set_known_scale(a, Dimension(sizes[0]), 1, heads);
  } else if (const PartialShape weights = known_shape(node.input(1)); weights.size() == 2) {
    set_known_scale(a, weights[1], 3, heads);
  }
  a.query = split_heads(rw, parts.output(0), heads);
  a.key = split_heads(rw, parts.output(1), heads);
  a.value = split_heads(rw, parts.output(2), heads);
  if (const Value past = node.input(4)) {
    a.key = behind_past(rw, row_of(rw, past, 0), a.key);
    a.value = behind_past(rw, row_of(rw, past, 1), a.value);
  }
  auto padding = padding_of_mask(node, rw, 3, a.query, a.key);
  if (!padding) return std::move(padding).error();
  a.padding = *padding;
  a.bias = node.input(5);
  if (node.attr<bool>("unidirectional").value_or(false)) a.allowed = causal(rw, a.query, a.key);
  Outputs outputs(node.out_port_count());
  outputs[0] = merged_heads(rw, attend(rw, a));
  if (outputs.size() > 1) {
    const Value front = rw.integers({0});
    outputs[1] = rw.create(ops::Concat{.axis = 0}, rw.create(ops::Unsqueeze{}, a.key, front), rw.create(ops::Unsqueeze{}, a.value, front));
  }
  return outputs;
}

/// QAttention: Attention of dequantised data. Inputs: x, weights, bias, scale of x, scale of the weights, mask, zero point of x, zero point of the
/// weights, past.
Replacement quantized_attention(const Node& node, Rewriter& rw) {
  const Value x = dequantize(rw, node.input(0), node.input(3), node.input(6));
  const Value weights = dequantize(rw, node.input(1), node.input(4), node.input(7));
  const Value inputs[] = {x, weights, node.input(2), node.input(5), node.input(8)};
  const Node made = rw.create_node(front_op("MicrosoftAttention", node.attributes()), inputs, node.out_port_count());
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) outputs.push_back(made.output(i));
  return outputs;
}

/// Part `i` of a packed tensor [B, S, N, parts, H] -> [B, N, S, H].
Value unpacked(Rewriter& rw, const Value& packed, std::int64_t i) {
  const Value part = rw.create(ops::Gather{}, packed, rw.scalar<std::int64_t>(i), rw.scalar<std::int64_t>(3));
  return rw.create(ops::Transpose{}, part, rw.integers({0, 2, 1, 3}));
}

/// A part of the bias, for [B, N, S, H].
Value with_bias(Rewriter& rw, const Value& heads, const Value& bias, std::int64_t count) {
  if (!bias) return heads;
  return rw.create(ops::Add{}, heads, rw.create(ops::Reshape{}, bias, rw.integers({count, 1, -1})));
}

/// MultiHeadAttention. Inputs: queries [B, S, D], or all of it packed [B, S, N, 3, H]; keys [B, T, D], keys and values packed [B, T, N, 2, H], or
/// keys of another sequence [B, N, T, H]; values likewise; bias [3 D]; mask of keys; bias of the scores; earlier keys and values [B, N, P, H].
/// Outputs: [B, S, D], all keys, all values, the products before the SoftMax are refused by the extractor.
Replacement multi_head_attention(const Node& node, Rewriter& rw) {
  const std::int64_t heads = node.attr<std::int64_t>("num_heads").value_or(1);
  const Value query = node.input(0);
  const Value key = node.input(1);
  const Value value = node.input(2);
  Attention a = with_attributes(node);
  if (!key) {
    a.query = unpacked(rw, query, 0);
    a.key = unpacked(rw, query, 1);
    a.value = unpacked(rw, query, 2);
  } else {
    if (const PartialShape shape = known_shape(query); shape.size() == 3) set_known_scale(a, shape[2], 1, heads);
    a.query = split_heads(rw, query, heads);
    if (!value) {
      a.key = unpacked(rw, key, 0);
      a.value = unpacked(rw, key, 1);
    } else {
      auto rank = required_rank(node, 1);
      if (!rank) return std::move(rank).error();
      if (*rank != 3 && *rank != 4)
        return node.error("MO-ONNX-0442", "keys have {} dimensions", *rank).hint("keys beside values have 3 or 4 dimensions");
      a.key = *rank == 3 ? split_heads(rw, key, heads) : key;
      a.value = *rank == 3 ? split_heads(rw, value, heads) : value;
    }
  }
  if (const Value bias = node.input(3)) {
    const Value size = rw.create(ops::Multiply{}, length_along(rw, a.query, -1), rw.integers({heads}));
    const Node parts = rw.create_node(ops::VariadicSplit{}, {bias, rw.scalar<std::int64_t>(0), join(rw, {size, size, rw.integers({-1})})}, 3);
    a.query = with_bias(rw, a.query, parts.output(0), heads);
    a.key = with_bias(rw, a.key, parts.output(1), heads);
    a.value = with_bias(rw, a.value, parts.output(2), heads);
  }
  a.key = behind_past(rw, node.input(6), a.key);
  a.value = behind_past(rw, node.input(7), a.value);
  auto padding = padding_of_mask(node, rw, 4, a.query, a.key);
  if (!padding) return std::move(padding).error();
  a.padding = *padding;
  a.bias = node.input(5);
  if (node.attr<bool>("unidirectional").value_or(false)) a.allowed = causal(rw, a.query, a.key);
  Outputs outputs(node.out_port_count());
  outputs[0] = merged_heads(rw, attend(rw, a));
  if (outputs.size() > 1) outputs[1] = a.key;
  if (outputs.size() > 2) outputs[2] = a.value;
  return outputs;
}

}  // namespace

/// Ranks are read off what other replacers make.
void register_microsoft_attention(PassRegistry& passes) {
  const std::vector<std::string> shapes = {"OnnxReduction", "OnnxReshape", "OnnxSqueeze", "OnnxTranspose", "OnnxUnsqueeze"};
  passes.add(front_replacement_op("MicrosoftQAttention").run_before({"MicrosoftAttention"}).replace_op(needing(5, quantized_attention)));
  passes.add(front_replacement_op("MicrosoftAttention").run_after(shapes).replace_op(needing(2, attention)));
  passes.add(front_replacement_op("MicrosoftMultiHeadAttention").run_after(shapes).replace_op(needing(1, multi_head_attention)));
}

}  // namespace mo::front::onnx
