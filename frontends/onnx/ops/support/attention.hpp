#pragma once

#include <optional>

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// Scaled dot-product attention, spelled out: what an IR up to op set 12 can say.
namespace mo::onnx {

/// Queries [B, N, S, H], keys [B, N, T, H] and values [B, N, T, V].
struct Attention {
  Value query;
  Value key;
  Value value;
  std::optional<double> scale;  ///< of the products; 1 / sqrt(H) without
  double soft_cap = 0;          ///< c * tanh(scores / c) unless it is 0
  /// which keys count: boolean, broadcasts to the scores [B, N, S, T]; empty: all of them
  Value padding;
  double filter = -10000;  ///< added to the scores of keys that do not count
  Value bias;              ///< added to the scores; may be empty
  /// where false, a score has no weight at all: boolean, broadcasts to the scores; may be empty
  Value allowed;
};

/// What takes the place of a score without weight. The lowest number of f16, so that models can be compressed to it.
inline constexpr double kNoWeight = -65504;

/// SoftMax(query * key^T * scale + masks) * value: [B, N, S, V].
Value attend(Rewriter& rw, const Attention& attention);
/// Only the scores' weights: the SoftMax above.
Value attention_weights(Rewriter& rw, const Attention& attention);

/// query * scale, which is 1 / sqrt(H) unless it is given.
Value scaled_query(Rewriter& rw, const Value& query, std::optional<double> scale);
/// c * tanh(scores / c); the scores when c is 0.
Value soft_capped(Rewriter& rw, const Value& scores, double soft_cap);
/// Keys or values [B, K, T, H], of which N / K queries share one head, once for each of the N heads of the queries: [B,
/// N, T, H].
Value for_all_queries(Rewriter& rw, const Value& x, const Value& query);

/// [B, S, N * H] -> [B, N, S, H], and back.
Value split_heads(Rewriter& rw, const Value& x, std::int64_t heads);
Value merged_heads(Rewriter& rw, const Value& x);

/// Key j is allowed for query i when j <= i + T - S: boolean [S, T], for queries [B, N, S, H] and keys [B, N, T, H].
Value causal(Rewriter& rw, const Value& query, const Value& key);

/// The mask of the Microsoft operators as `padding`: [B] or [2 * B] lengths (and beginnings), [B, T], [B, S, T], or [B,
/// 1, M, M] from which the last queries are taken. Errors: as required_rank, MO-ONNX-0442 when the mask has another
/// rank.
Expected<Value> padding_of_mask(const FrameworkNode& node, Rewriter& rw, std::size_t input, const Value& query,
                                const Value& key);

/// The number of dimensions of an input on which the form of the operator depends. Error MO-ONNX-0441 when it is
/// unknown.
Expected<std::int64_t> required_rank(const FrameworkNode& node, std::size_t input);
/// A number of heads. Error MO-ONNX-0449 for an impossible one.
Expected<std::int64_t> head_count(const FrameworkNode& node, std::string_view attribute);
inline constexpr std::int64_t kMostHeads = 1 << 16;
/// Error MO-ONNX-0444: what the node wants has no counterpart.
Diagnostic not_expressible(const FrameworkNode& node, std::string_view what);

}  // namespace mo::onnx
