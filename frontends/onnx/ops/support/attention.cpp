#include "frontends/onnx/ops/support/attention.hpp"

#include <cmath>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"
#include "ops/slice.hpp"
#include "ops/soft_max.hpp"
#include "ops/transpose.hpp"

namespace mo::onnx {
namespace {

/// [B] lengths or [2 * B] ends and beginnings -> key j counts when beginning <= j < end: [B, 1, 1, T].
Value padding_of_lengths(Rewriter& rw, const Value& mask, const Value& query, const Value& key) {
  const Value numbers = as_i64(rw, mask);
  const Value batch = length_along(rw, query, 0);
  const Value zero = rw.integers({0});
  const Value one = rw.integers({1});
  // Without beginnings, the zeros after the ends are the beginnings.
  const Value filled = join(rw, {numbers, repeat(rw, rw.scalar<std::int64_t>(0), batch)});
  const Value twice = rw.create(ops::Add{}, batch, batch);
  const Value end = rw.create(ops::Unsqueeze{}, rw.create(ops::Slice{}, filled, zero, batch, one, zero), one);
  const Value begin = rw.create(ops::Unsqueeze{}, rw.create(ops::Slice{}, filled, batch, twice, one, zero), one);
  const Term place = count_up(rw, dimension_of(rw, key, 2), ElementType::i64);
  const Term last(rw, end, ElementType::i64);
  const Term first(rw, begin, ElementType::i64);
  return both(less(place, last), greater_equal(place, first)).unsqueezed({1, 2});
}

/// [B, K, T, H] -> [B, N, T, H]: N / K copies of each head, in the form that runtimes look for after a cache.
Value repeated_heads(Rewriter& rw, const Value& x, std::int64_t heads, std::int64_t all_heads) {
  const Value copies =
      rw.create(ops::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional},
                rw.create(ops::Unsqueeze{}, x, rw.integers({2})), rw.integers({1, 1, all_heads / heads, 1, 1}));
  const Value shape = join(rw, {rw.integers({0, all_heads}), length_along(rw, x, 2), length_along(rw, x, 3)});
  return rw.create(ops::Reshape{.special_zero = true}, copies, shape);
}

}  // namespace

Value scaled_query(Rewriter& rw, const Value& query, std::optional<double> scale) {
  if (const PartialShape& shape = query.type().shape; !scale && shape.size() > 0 && shape[shape.size() - 1].is_known())
    if (const std::int64_t size = shape[shape.size() - 1].value(); size > 0)
      scale = 1 / std::sqrt(static_cast<double>(size));
  if (scale) return *scale == 1 ? query : rw.create(ops::Multiply{}, query, number_like(rw, query, *scale));
  const Value size = rw.create(ops::ConvertLike{}, dimension_of(rw, query, -1), query);
  return rw.create(ops::Divide{}, query, rw.create(ops::Sqrt{}, size));
}

Value soft_capped(Rewriter& rw, const Value& scores, double soft_cap) {
  if (soft_cap == 0) return scores;
  const Value cap = number_like(rw, scores, soft_cap);
  return rw.create(ops::Multiply{}, rw.create(ops::Tanh{}, rw.create(ops::Divide{}, scores, cap)), cap);
}

Value for_all_queries(Rewriter& rw, const Value& x, const Value& query) {
  const PartialShape& shared = x.type().shape;
  const PartialShape& all = query.type().shape;
  if (shared.size() == 4 && all.size() == 4) {
    if (shared[1].same_value(all[1])) return x;
    if (shared[1].is_known() && all[1].is_known() && shared[1].value() > 0 && all[1].value() % shared[1].value() == 0)
      return repeated_heads(rw, x, shared[1].value(), all[1].value());
  }
  // Head i of the queries reads head i * K / N.
  const Value heads = dimension_of(rw, query, 1);
  const Value place = rw.create(ops::Multiply{}, count_up(rw, heads, ElementType::i64).value(), dimension_of(rw, x, 1));
  return rw.create(ops::Gather{}, x, rw.create(ops::Divide{}, place, heads), rw.scalar<std::int64_t>(1));
}

Value attention_weights(Rewriter& rw, const Attention& a) {
  Value scores = rw.create(ops::MatMul{.transpose_b = true}, scaled_query(rw, a.query, a.scale), a.key);
  scores = soft_capped(rw, scores, a.soft_cap);
  if (a.padding) {
    const Value penalty =
        rw.create(ops::Select{}, a.padding, number_like(rw, a.query, 0), number_like(rw, a.query, a.filter));
    scores = rw.create(ops::Add{}, scores, penalty);
  }
  if (a.bias) scores = rw.create(ops::Add{}, scores, a.bias);
  if (a.allowed) scores = rw.create(ops::Select{}, a.allowed, scores, number_like(rw, a.query, kNoWeight));
  return rw.create(ops::SoftMax{.axis = -1}, scores);
}

Value attend(Rewriter& rw, const Attention& a) { return rw.create(ops::MatMul{}, attention_weights(rw, a), a.value); }

Value split_heads(Rewriter& rw, const Value& x, std::int64_t heads) {
  const Value parts = rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, 0, heads, -1}));
  return rw.create(ops::Transpose{}, parts, rw.integers({0, 2, 1, 3}));
}

Value merged_heads(Rewriter& rw, const Value& x) {
  const Value rows = rw.create(ops::Transpose{}, x, rw.integers({0, 2, 1, 3}));
  return rw.create(ops::Reshape{.special_zero = true}, rows, rw.integers({0, 0, -1}));
}

Value causal(Rewriter& rw, const Value& query, const Value& key) {
  const Value queries = dimension_of(rw, query, 2);
  const Value keys = dimension_of(rw, key, 2);
  const Term earlier(rw, rw.create(ops::Subtract{}, keys, queries), ElementType::i64);
  const Term row = (count_up(rw, queries, ElementType::i64) + earlier).unsqueezed({1});
  return less_equal(count_up(rw, keys, ElementType::i64), row);
}

Expected<Value> padding_of_mask(const FrameworkNode& node, Rewriter& rw, std::size_t input, const Value& query,
                                const Value& key) {
  Value mask = node.input(input);
  if (!mask) return Value();
  MO_ASSIGN(const std::int64_t rank, required_rank(node, input));
  if (rank == 1) return padding_of_lengths(rw, mask, query, key);
  if (rank < 2 || rank > 4)
    return node.error("MO-ONNX-0442", "the mask has {} dimensions", rank)
        .hint("a mask has 1 to 4 dimensions; export the model again with a newer exporter");
  if (rank == 4) {
    // [B, 1, M, M]: rows T - S … T - 1, columns 0 … T - 1.
    const Value queries = length_along(rw, query, 2);
    const Value keys = length_along(rw, key, 2);
    const Value begin = join(rw, {rw.create(ops::Subtract{}, keys, queries), rw.integers({0})});
    mask = rw.create(ops::Slice{}, mask, begin, join(rw, {keys, keys}), rw.integers({1, 1}), rw.integers({2, 3}));
  } else {
    mask = rw.create(ops::Unsqueeze{}, mask, rank == 2 ? rw.integers({1, 2}) : rw.integers({1}));
  }
  if (mask.type().element_type == ElementType::boolean) return mask;
  return rw.create(ops::Greater{}, mask, number_like(rw, mask, 0));
}

Expected<std::int64_t> required_rank(const FrameworkNode& node, std::size_t input) {
  // Still without a rank: model inputs that declare none, and what is reshaped by values known only at run time.
  if (const auto rank = node.input_type(input).rank()) return *rank;
  return node
      .error("MO-ONNX-0441",
             "the number of dimensions of input {} is not known, and the form of the operator depends on it", input)
      .hint(
          "give the shapes of the model's inputs with --input_shape, or make the tensor an input of the model with "
          "--input");
}

Expected<std::int64_t> head_count(const FrameworkNode& node, std::string_view attribute) {
  const auto heads = node.required<std::int64_t>(attribute);
  if (node.failure()) return *node.failure();
  if (heads >= 1 && heads <= kMostHeads) return heads;
  return node.error("MO-ONNX-0449", "{} is {}", attribute, heads)
      .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
}

Diagnostic not_expressible(const FrameworkNode& node, std::string_view what) {
  return node.error("MO-ONNX-0444", "{}", what)
      .hint("export the model with other options of this fusion, or without it");
}

}  // namespace mo::onnx
