#include <fmt/format.h>

#include "benchmarks/models.hpp"

namespace mo::benchmarks {
namespace {

using A = OnnxAttribute;

constexpr std::int64_t kBits = 4;
constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kPackedBytesOfBlock = kBlock * kBits / 8;
constexpr std::string_view kSimplifiedNorm = "SimplifiedLayerNormalization";
constexpr std::string_view kSkipNorm = "com.microsoft::SkipSimplifiedLayerNormalization";

std::string product(OnnxWriter& w, const std::string& name, const std::string& x, std::int64_t from, std::int64_t to) {
  const std::int64_t blocks = from / kBlock;
  const std::string weights = w.packed_weight(name + ".qweight", {to, blocks, kPackedBytesOfBlock});
  const std::string scales = w.weight(name + ".scales", {to * blocks}, 0.002F, 0.01F);
  return w.node("com.microsoft::MatMulNBits", {x, weights, scales}, name,
                {A::of("K", from), A::of("N", to), A::of("bits", kBits), A::of("block_size", kBlock)});
}

/// What every layer reads: the lengths of the sequences without padding, and the number of positions.
struct Lengths {
  std::string last;
  std::string total;
};

Lengths lengths_of(OnnxWriter& w, const std::string& mask) {
  constexpr std::int64_t kInt32 = 6;
  const std::string axis = w.constant("mask/axis", {1}, {1});
  const std::string one = w.constant("mask/one", {1}, {1});
  const std::string index = w.constant("mask/index", {}, {1});
  const std::string sum = w.node("ReduceSum", {mask, axis}, "mask/sum", {A::of("keepdims", std::int64_t{1})});
  const std::string last = w.node("Sub", {sum, one}, "mask/last");
  const std::string shape = w.node("Shape", {mask}, "mask/shape");
  const std::string length = w.node("Gather", {shape, index}, "mask/length", {A::of("axis", std::int64_t{0})});
  return {w.node("Cast", {last}, "mask/seqlens_k", {A::of("to", kInt32)}),
          w.node("Cast", {length}, "mask/total_sequence_length", {A::of("to", kInt32)})};
}

std::string attention(OnnxWriter& w, const std::string& prefix, const std::string& x, std::int64_t layer,
                      const DecoderSize& size, const Lengths& lengths) {
  const std::int64_t width = size.hidden / size.heads;
  const std::int64_t cached = size.cached_heads * width;
  const std::string query = product(w, prefix + "/q_proj", x, size.hidden, size.hidden);
  const std::string key = product(w, prefix + "/k_proj", x, size.hidden, cached);
  const std::string value = product(w, prefix + "/v_proj", x, size.hidden, cached);
  const auto name_of = [&](std::string_view tensor, std::string_view part) {
    return fmt::format("{}.{}.{}", tensor, layer, part);
  };
  const std::string past_key = name_of("past_key_values", "key");
  const std::string past_value = name_of("past_key_values", "value");
  const std::string present_key = name_of("present", "key");
  const std::string present_value = name_of("present", "value");
  for (const std::string& name : {past_key, past_value})
    w.input(name, OnnxType::f32, {"batch", size.cached_heads, "past", width});
  for (const std::string& name : {present_key, present_value})
    w.output(name, OnnxType::f32, {"batch", size.cached_heads, "total", width});
  const std::string attended = prefix + "/GroupQueryAttention";
  w.node_with_outputs(
      "com.microsoft::GroupQueryAttention",
      {query, key, value, past_key, past_value, lengths.last, lengths.total, "cos_cache", "sin_cache"},
      {attended, present_key, present_value}, attended,
      {A::of("num_heads", size.heads), A::of("kv_num_heads", size.cached_heads), A::of("do_rotary", std::int64_t{1})});
  return product(w, prefix + "/o_proj", attended, size.hidden, size.hidden);
}

std::string feed_forward(OnnxWriter& w, const std::string& prefix, const std::string& x, const DecoderSize& size) {
  const std::string gate = product(w, prefix + "/gate_proj", x, size.hidden, size.feed_forward);
  const std::string up = product(w, prefix + "/up_proj", x, size.hidden, size.feed_forward);
  const std::string sigmoid = w.node("Sigmoid", {gate}, prefix + "/act_fn/Sigmoid");
  const std::string active = w.node("Mul", {gate, sigmoid}, prefix + "/act_fn/Mul");
  const std::string both = w.node("Mul", {active, up}, prefix + "/Mul");
  return product(w, prefix + "/down_proj", both, size.feed_forward, size.hidden);
}

}  // namespace

OnnxWriter decoder(const DecoderSize& size) {
  OnnxWriter w("decoder", 21);
  w.input("input_ids", OnnxType::i64, {"batch", "sequence"});
  w.input("attention_mask", OnnxType::i64, {"batch", "total"});
  const std::int64_t half = size.hidden / size.heads / 2;
  w.weight("cos_cache", {size.positions, half}, 1);
  w.weight("sin_cache", {size.positions, half}, 1);
  const std::vector<A> epsilon{A::of("epsilon", 1e-5F)};
  const Lengths lengths = lengths_of(w, "attention_mask");
  const std::string words = w.weight("model.embed_tokens.weight", {size.vocabulary, size.hidden}, 0.05F);
  std::string sum = w.node("Gather", {words, "input_ids"}, "embed_tokens/Gather", {A::of("axis", std::int64_t{0})});
  std::string normal;
  /// Adds `x` to what the layers before gave, and normalizes the sum.
  const auto add_and_normalize = [&](const std::string& name, const std::string& x) {
    const std::string gamma = w.weight(name + ".weight", {size.hidden}, 0.1F, 1.0F);
    normal = name + "/output";
    const std::string next = name + "/sum";
    w.node_with_outputs(kSkipNorm, {sum, x, gamma}, {normal, "", "", next}, normal, epsilon);
    sum = next;
  };
  for (std::int64_t layer = 0; layer < size.layers; ++layer) {
    const std::string prefix = fmt::format("/model/layers.{}", layer);
    if (layer == 0) {
      const std::string gamma = w.weight(prefix + "/input_layernorm.weight", {size.hidden}, 0.1F, 1.0F);
      normal = w.node(kSimplifiedNorm, {sum, gamma}, prefix + "/input_layernorm",
                      {A::of("axis", std::int64_t{-1}), A::of("epsilon", 1e-5F)});
    }
    add_and_normalize(prefix + "/post_attention_layernorm",
                      attention(w, prefix + "/attn", normal, layer, size, lengths));
    const std::string narrow = feed_forward(w, prefix + "/mlp", normal, size);
    add_and_normalize(layer + 1 == size.layers ? std::string("/model/norm")
                                               : fmt::format("/model/layers.{}/input_layernorm", layer + 1),
                      narrow);
  }
  const std::string scores = product(w, "/lm_head", normal, size.hidden, size.vocabulary);
  w.node("Identity", {scores}, "logits");
  w.output("logits", OnnxType::f32, {"batch", "sequence", size.vocabulary});
  return w;
}

}  // namespace mo::benchmarks
