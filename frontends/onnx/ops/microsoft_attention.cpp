#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

constexpr std::int64_t kMostHeads = 1 << 16;

Expected<std::int64_t> head_count(const FrameworkNode& node, std::string_view name) {
  const auto heads = node.required<std::int64_t>(name);
  if (heads >= 1 && heads <= kMostHeads) return heads;
  return node.error("MO-ONNX-0449", "{} is {}", name, heads).hint("check how the model was exported");
}

Diagnostic not_expressible(const FrameworkNode& node, std::string_view what) {
  return node.error("MO-ONNX-0444", "{}", what).hint("export the model with other options of this fusion, or without it");
}

/// The attributes that Attention and MultiHeadAttention share.
Expected<AttributeMap> attention_attributes(const FrameworkNode& node) {
  MO_ASSIGN(const std::int64_t heads, head_count(node, "num_heads"));
  return AttributeMap{{"num_heads", heads},
                      {"scale", node.attr("scale", 0.0)},
                      {"mask_filter_value", node.attr("mask_filter_value", -10000.0)},
                      {"unidirectional", node.attr("unidirectional", false)}};
}

/// What earlier steps computed lies in a buffer that is longer than they are.
bool shares_buffer(const FrameworkNode& node) { return node.attr("past_present_share_buffer", false); }

Expected<Op> attention(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, attention_attributes(node));
  node.ignore({"rotary_embedding_dim"});  // of do_rotary
  if (node.attr("do_rotary", false)) return not_expressible(node, "do_rotary turns queries and keys by angles that the model does not hold");
  if (shares_buffer(node) || node.has_input(6)) return not_expressible(node, "past and present share a buffer, which an IR has no memory for");
  const auto sizes = node.attr<std::vector<std::int64_t>>("qkv_hidden_sizes", {});
  if (!sizes.empty() && (sizes.size() != 3 || sizes[0] < 1 || sizes[0] != sizes[1] || sizes[2] < 1))
    return node.error("MO-ONNX-0449", "qkv_hidden_sizes has {} numbers, or queries and keys of different sizes", sizes.size())
        .hint("check how the model was exported");
  attributes.set("sizes", sizes);
  return front_op("MicrosoftAttention", std::move(attributes));
}

Expected<Op> quantized_attention(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, attention_attributes(node));
  if (node.attr("do_rotary", false)) return not_expressible(node, "do_rotary turns queries and keys by angles that the model does not hold");
  if (shares_buffer(node)) return not_expressible(node, "past and present share a buffer, which an IR has no memory for");
  return front_op("MicrosoftQAttention", std::move(attributes));
}

Expected<Op> multi_head_attention(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, attention_attributes(node));
  if (node.has_input(8) || node.has_input(9)) return not_expressible(node, "past and present share a buffer, which an IR has no memory for");
  if (node.output_used(3)) return not_expressible(node, "the scores in front of the SoftMax are read");
  return front_op("MicrosoftMultiHeadAttention", std::move(attributes));
}

Expected<Op> group_query_attention(const FrameworkNode& node) {
  MO_ASSIGN(const std::int64_t heads, head_count(node, "num_heads"));
  MO_ASSIGN(const std::int64_t shared, head_count(node, "kv_num_heads"));
  if (heads % shared != 0)
    return node.error("MO-ONNX-0449", "{} heads do not divide into groups for {} keys", heads, shared).hint("check how the model was exported");
  // The versions of ONNX Runtime count the keys in a window differently.
  if (node.attr<std::int64_t>("local_window_size", -1) > 0)
    return not_expressible(node, "local_window_size is given, whose meaning depends on the runtime");
  if (node.attr<std::int64_t>("smooth_softmax", 0) > 0 || node.has_input(11))
    return not_expressible(node, "a SoftMax with a sink has no operation in an IR");
  for (const std::string_view name : {"k_quant_type", "v_quant_type"})
    if (node.attr(name, "NONE") != "NONE") return not_expressible(node, "keys or values are quantised between the steps");
  node.ignore({"kv_cache_bit_width", "qk_output"});
  if (node.output_used(3)) return not_expressible(node, "the scores are read");
  return front_op("MicrosoftGroupQueryAttention", {{"num_heads", heads},
                                                   {"kv_num_heads", shared},
                                                   {"scale", node.attr("scale", 0.0)},
                                                   {"softcap", node.attr("softcap", 0.0)},
                                                   {"do_rotary", node.attr("do_rotary", false)},
                                                   {"interleaved", node.attr("rotary_interleaved", false)}});
}

Expected<Op> rotary_embedding(const FrameworkNode& node) {
  if (node.attr("is_packed_batching", false)) return not_expressible(node, "batches are packed, whose lengths an IR cannot see");
  if (const double scale = node.attr("scale", 1.0); scale != 1) return not_expressible(node, "positions are scaled");
  const auto heads = node.attr<std::int64_t>("num_heads", 0);
  const auto size = node.attr<std::int64_t>("rotary_embedding_dim", 0);
  if (heads < 0 || heads > kMostHeads || size < 0 || (size > 0 && heads == 0))
    return node.error("MO-ONNX-0449", "num_heads is {}, rotary_embedding_dim {}", heads, size)
        .hint("a part of each head can only be turned when the number of heads is given");
  return front_op("MicrosoftRotaryEmbedding", {{"num_heads", heads}, {"interleaved", node.attr("interleaved", false)}});
}

}  // namespace

void register_microsoft_attention(OperatorTable& table) {
  table.extract("com.microsoft::Attention", since(1), attention);
  table.extract("com.microsoft::QAttention", since(1), quantized_attention);
  table.extract("com.microsoft::MultiHeadAttention", since(1), multi_head_attention);
  table.extract("com.microsoft::GroupQueryAttention", since(1), group_query_attention);
  table.extract("com.microsoft::RotaryEmbedding", since(1), rotary_embedding);
}

}  // namespace mo::onnx
