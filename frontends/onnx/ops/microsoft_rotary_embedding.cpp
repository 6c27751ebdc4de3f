#include <algorithm>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/rotary.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

/// The data of a rotary embedding, [B, S, N * H] or [B, N, S, H], as [B, N, S, H]. `cosines`: the table, whose columns
/// tell the size of the heads where their number is not given.
Expected<Value> data_with_heads(const FrameworkNode& node, Rewriter& rw, const Value& cosines) {
  if (node.attr("is_packed_batching", false))
    return not_expressible(node, "batches are packed, whose lengths an IR cannot see");
  if (const double scale = node.attr("scale", 1.0); scale != 1) return not_expressible(node, "positions are scaled");
  const auto heads = node.attr<std::int64_t>("num_heads", 0);
  const auto size = node.attr<std::int64_t>("rotary_embedding_dim", 0);
  if (heads < 0 || heads > kMostHeads || size < 0 || (size > 0 && heads == 0))
    return node.error("MO-ONNX-0449", "num_heads is {}, rotary_embedding_dim {}", heads, size)
        .hint("a part of each head can only be turned when the number of heads is given");
  MO_ASSIGN(const std::int64_t rank, required_rank(node, 0));
  if (rank != 3 && rank != 4)
    return node.error("MO-ONNX-0442", "the data have {} dimensions", rank)
        .hint("RotaryEmbedding turns data of 3 or 4 dimensions");
  if (rank == 4) return node.input(0);
  // Without a number of heads whole heads are turned.
  return heads > 0 ? split_heads(rw, node.input(0), heads)
                   : split_whole_heads(rw, node.input(0), length_along(rw, cosines, 1));
}

/// [B, N, S, H] in the form of the node's data.
Value as_data_of(const FrameworkNode& node, Rewriter& rw, const Value& x) {
  return node.input(0).type().rank() == 3 ? merged_heads(rw, x) : x;
}

/// RotaryEmbedding(x, positions, cosines, sines): positions are [B, S], or one number: that of the first element of the
/// sequence.
Replacement rotary_embedding(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  const Value cosines = node.input(2);
  MO_ASSIGN(const Value x, data_with_heads(node, rw, cosines));
  MO_ASSIGN(const std::int64_t position_rank, required_rank(node, 1));
  Value positions = as_i64(rw, node.input(1));
  if (position_rank < 2) {
    const Value first = as_length(rw, positions);
    const Value places = rw.create(ops::Add{}, count_up(rw, dimension_of(rw, x, 2), ElementType::i64), first);
    positions = rw.create(ops::Unsqueeze{}, places, rw.integers({0}));
  }
  return as_data_of(node, rw,
                    rotated(rw, x, rows_of_table(rw, cosines, positions), rows_of_table(rw, node.input(3), positions),
                            node.attr("interleaved", false)));
}

constexpr std::int64_t kStreams = 3;  ///< time, height, width

/// Which stream of positions each column of the tables follows. Error MO-ONNX-0449 for impossible sections.
Expected<std::vector<std::int64_t>> streams_of_columns(const FrameworkNode& node) {
  const auto sections = node.required<std::vector<std::int64_t>>("mrope_section");
  const auto layout = node.attr<std::int64_t>("mrope_layout", 0);
  if (node.failure()) return *node.failure();
  constexpr std::int64_t kMostColumns = 1 << 16;
  const auto is_possible = [](std::int64_t size) { return size >= 0 && size <= kMostColumns; };
  if (sections.size() != kStreams || !std::ranges::all_of(sections, is_possible) || (layout != 0 && layout != 1))
    return node
        .error("MO-ONNX-0449", "there are {} sections, or impossible ones, in layout {}", sections.size(), layout)
        .hint("mrope_section has 3 sizes, mrope_layout is 0 or 1");
  std::vector<std::int64_t> streams;
  for (std::int64_t stream = 0; stream < kStreams; ++stream)
    streams.insert(streams.end(), static_cast<std::size_t>(sections[static_cast<std::size_t>(stream)]), stream);
  if (layout == 0) return streams;
  // In turn: time is everywhere where height (1, 4, 7 ...) and width (2, 5, 8 ...) have ended.
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const std::size_t stream = i % kStreams;
    streams[i] = static_cast<std::int64_t>(i / kStreams) < sections[stream] ? static_cast<std::int64_t>(stream) : 0;
  }
  return streams;
}

/// MRotaryEmbedding(x, positions [3, B, S], cosines, sines): each column of the tables follows the positions in time,
/// height or width.
Replacement rotary_embedding_of_images(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(4));
  MO_ASSIGN(const std::vector<std::int64_t> streams, streams_of_columns(node));
  MO_ASSIGN(const Value x, data_with_heads(node, rw, node.input(2)));
  const Value positions = as_i64(rw, node.input(1));
  const Value first = rw.scalar<std::int64_t>(0);
  const auto rows = [&](const Value& table) -> Expected<Value> {
    Value chosen;
    for (std::int64_t stream = 0; stream < kStreams; ++stream) {
      if (stream > 0 && std::ranges::count(streams, stream) == 0) continue;
      const Value of_stream =
          rows_of_table(rw, table, rw.create(ops::Gather{}, positions, rw.scalar<std::int64_t>(stream), first));
      if (!chosen) {
        chosen = of_stream;
        continue;
      }
      std::vector<std::int64_t> follows(streams.size());
      std::ranges::transform(streams, follows.begin(), [&](std::int64_t each) { return each == stream ? 1 : 0; });
      MO_ASSIGN(Tensor mask, from_integers(ElementType::boolean, {static_cast<std::int64_t>(follows.size())}, follows));
      chosen = rw.create(ops::Select{}, rw.constant(std::move(mask)), of_stream, chosen);
    }
    return chosen;
  };
  MO_ASSIGN(const Value cosines, rows(node.input(2)));
  MO_ASSIGN(const Value sines, rows(node.input(3)));
  return as_data_of(node, rw, rotated(rw, x, cosines, sines, node.attr("interleaved", false)));
}

}  // namespace

void register_microsoft_rotary_embedding(OperatorTable& table) {
  table.translate("com.microsoft::RotaryEmbedding", since(1), rotary_embedding);
  table.translate("com.microsoft::MRotaryEmbedding", since(1), rotary_embedding_of_images);
}

}  // namespace mo::onnx
