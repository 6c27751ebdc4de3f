#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"
#include "ops/split.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// What all operators say by attributes.
Attention with_attributes(const FrameworkNode& node) {
  Attention a;
  if (const double scale = node.attr("scale", 0.0); scale != 0) a.scale = scale;
  a.filter = node.attr("mask_filter_value", -10000.0);
  return a;
}

/// Keys (or values) of earlier steps, then those of this one.
Value behind_past(Rewriter& rw, const Value& past, const Value& now) {
  return past ? rw.create(ops::Concat{.axis = 2}, past, now) : now;
}

/// Row `i` of the first dimension.
Value row_of(Rewriter& rw, const Value& x, std::int64_t i) {
  return rw.create(ops::Gather{}, x, rw.scalar<std::int64_t>(i), rw.scalar<std::int64_t>(0));
}

constexpr std::string_view kSharedBuffer = "past and present share a buffer, which an IR has no memory for";

/// What Attention and QAttention compute of real numbers, once all are that.
struct SelfAttention {
  Value x;        ///< [B, S, D]
  Value weights;  ///< [D, Q + K + V]
  Value bias;
  std::size_t mask;  ///< input of the node
  Value past;        ///< [2, B, N, P, H]
  Value score_bias;
  std::vector<std::int64_t> sizes;  ///< Q, K and V; empty: all equal
};

/// x * weights + bias, split into queries, keys and values of `num_heads` heads each. Outputs: [B, S, V], and [2, B, N,
/// P + S, H].
Replacement self_attention(const FrameworkNode& node, Rewriter& rw, const SelfAttention& parts) {
  MO_ASSIGN(const std::int64_t heads, head_count(node, "num_heads"));
  node.ignore({"rotary_embedding_dim"}, "of do_rotary, which is refused");
  if (node.attr("do_rotary", false))
    return not_expressible(node, "do_rotary rotates queries and keys by angles that are not in the model");
  if (node.attr("past_present_share_buffer", false)) return not_expressible(node, kSharedBuffer);
  Value projected = rw.create(ops::MatMul{}, parts.x, parts.weights);
  if (parts.bias) projected = rw.create(ops::Add{}, projected, parts.bias);
  const Value last = rw.scalar<std::int64_t>(-1);
  const Node split = parts.sizes.empty()
                         ? rw.create_node(ops::Split{.num_splits = 3}, {projected, last}, 3)
                         : rw.create_node(ops::VariadicSplit{}, {projected, last, rw.integers(parts.sizes)}, 3);
  Attention a = with_attributes(node);
  a.query = split_heads(rw, split.output(0), heads);
  a.key = split_heads(rw, split.output(1), heads);
  a.value = split_heads(rw, split.output(2), heads);
  if (parts.past) {
    a.key = behind_past(rw, row_of(rw, parts.past, 0), a.key);
    a.value = behind_past(rw, row_of(rw, parts.past, 1), a.value);
  }
  MO_ASSIGN(a.padding, padding_of_mask(node, rw, parts.mask, a.query, a.key));
  a.bias = parts.score_bias;
  if (node.attr("unidirectional", false)) a.allowed = causal(rw, a.query, a.key);
  Outputs outputs(node.output_count());
  outputs[0] = merged_heads(rw, attend(rw, a));
  if (outputs.size() > 1) {
    const Value front = rw.integers({0});
    outputs[1] = rw.create(ops::Concat{.axis = 0}, rw.create(ops::Unsqueeze{}, a.key, front),
                           rw.create(ops::Unsqueeze{}, a.value, front));
  }
  return outputs;
}

/// Inputs: x, weights, bias, mask, past, bias of the scores, length of the past in a shared buffer.
Replacement microsoft_attention(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  if (node.has_input(6)) return not_expressible(node, kSharedBuffer);
  const auto sizes = node.attr<std::vector<std::int64_t>>("qkv_hidden_sizes", {});
  if (!sizes.empty() && (sizes.size() != 3 || sizes[0] < 1 || sizes[0] != sizes[1] || sizes[2] < 1))
    return node
        .error("MO-ONNX-0449", "qkv_hidden_sizes has {} values, or queries and keys of different sizes", sizes.size())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return self_attention(node, rw,
                        {.x = node.input(0),
                         .weights = node.input(1),
                         .bias = node.input(2),
                         .mask = 3,
                         .past = node.input(4),
                         .score_bias = node.input(5),
                         .sizes = sizes});
}

/// QAttention: Attention of dequantised data. Inputs: x, weights, bias, scale of x, scale of the weights, mask, zero
/// point of x, zero point of the weights, past.
Replacement quantized_attention(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 1, 3, 4}));
  return self_attention(node, rw,
                        {.x = dequantize(rw, node.input(0), node.input(3), node.input(6)),
                         .weights = dequantize(rw, node.input(1), node.input(4), node.input(7)),
                         .bias = node.input(2),
                         .mask = 5,
                         .past = node.input(8)});
}

/// Part `i` of a packed tensor [B, S, N, parts, H] -> [B, N, S, H].
Value unpacked(Rewriter& rw, const Value& packed, std::int64_t i) {
  const Value part = rw.create(ops::Gather{}, packed, rw.scalar<std::int64_t>(i), rw.scalar<std::int64_t>(3));
  return rw.create(ops::Transpose{}, part, rw.integers({0, 2, 1, 3}));
}

/// A part of the bias, for [B, N, S, H].
Value with_head_bias(Rewriter& rw, const Value& heads, const Value& bias, std::int64_t count) {
  return rw.create(ops::Add{}, heads, rw.create(ops::Reshape{}, bias, rw.integers({count, 1, -1})));
}

/// Queries, keys and values. Inputs: queries [B, S, D], or all of it packed [B, S, N, 3, H]; keys [B, T, D], keys and
/// values packed [B, T, N, 2, H], or keys of another sequence [B, N, T, H]; values likewise; bias [3 D].
Expected<void> read_operands(const FrameworkNode& node, Rewriter& rw, std::int64_t heads, Attention& a) {
  const Value query = node.input(0);
  const Value key = node.input(1);
  const Value value = node.input(2);
  if (!key) {
    a.query = unpacked(rw, query, 0);
    a.key = unpacked(rw, query, 1);
    a.value = unpacked(rw, query, 2);
  } else {
    a.query = split_heads(rw, query, heads);
    if (!value) {
      a.key = unpacked(rw, key, 0);
      a.value = unpacked(rw, key, 1);
    } else {
      MO_ASSIGN(const std::int64_t rank, required_rank(node, 1));
      if (rank != 3 && rank != 4)
        return node.error("MO-ONNX-0442", "keys have {} dimensions", rank)
            .hint("keys beside values have 3 or 4 dimensions");
      a.key = rank == 3 ? split_heads(rw, key, heads) : key;
      a.value = rank == 3 ? split_heads(rw, value, heads) : value;
    }
  }
  if (const Value bias = node.input(3)) {
    const Value size = rw.create(ops::Multiply{}, length_along(rw, a.query, -1), rw.integers({heads}));
    const Node parts = rw.create_node(ops::VariadicSplit{},
                                      {bias, rw.scalar<std::int64_t>(0), join(rw, {size, size, rw.integers({-1})})}, 3);
    a.query = with_head_bias(rw, a.query, parts.output(0), heads);
    a.key = with_head_bias(rw, a.key, parts.output(1), heads);
    a.value = with_head_bias(rw, a.value, parts.output(2), heads);
  }
  return {};
}

/// MultiHeadAttention. Inputs: as above; mask of keys; bias of the scores; earlier keys and values [B, N, P, H]; two of
/// a shared buffer. Outputs: [B, S, D], all keys, all values, and the products before the SoftMax, which are refused.
Replacement multi_head_attention(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const std::int64_t heads, head_count(node, "num_heads"));
  if (node.has_input(8) || node.has_input(9)) return not_expressible(node, kSharedBuffer);
  if (node.output_used(3)) return not_expressible(node, "the scores before the SoftMax are read");
  Attention a = with_attributes(node);
  MO_TRY(read_operands(node, rw, heads, a));
  a.key = behind_past(rw, node.input(6), a.key);
  a.value = behind_past(rw, node.input(7), a.value);
  MO_ASSIGN(a.padding, padding_of_mask(node, rw, 4, a.query, a.key));
  a.bias = node.input(5);
  if (node.attr("unidirectional", false)) a.allowed = causal(rw, a.query, a.key);
  Outputs outputs(node.output_count());
  outputs[0] = merged_heads(rw, attend(rw, a));
  if (outputs.size() > 1) outputs[1] = a.key;
  if (outputs.size() > 2) outputs[2] = a.value;
  return outputs;
}

}  // namespace

void register_microsoft_attention(OperatorTable& table) {
  table.translate("com.microsoft::Attention", since(1), microsoft_attention);
  table.translate("com.microsoft::QAttention", since(1), quantized_attention);
  table.translate("com.microsoft::MultiHeadAttention", since(1), multi_head_attention);
}

}  // namespace mo::onnx
