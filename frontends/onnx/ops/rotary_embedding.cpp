#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/rotary.hpp"
#include "frontends/onnx/ops/support/translate.hpp"

namespace mo::onnx {
namespace {

/// RotaryEmbedding-23(x, cosines, sines, positions): x is [B, N, S, H], or [B, S, N * H] with `num_heads`. Without
/// positions the tables have the rows of each place already: [B, S, size / 2].
Replacement rotary_embedding_of_onnx(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const auto size = node.attr<std::int64_t>("rotary_embedding_dim", 0);
  MO_ASSIGN(const std::int64_t rank, required_rank(node, 0));
  if (rank != 3 && rank != 4)
    return node.error("MO-ONNX-0442", "the data have {} dimensions", rank)
        .hint("RotaryEmbedding turns data of 3 or 4 dimensions");
  Value cosines = node.input(1);
  Value sines = node.input(2);
  if (size < 0)
    return node.error("MO-ONNX-0449", "rotary_embedding_dim is {}", size)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (size > 0) {
    cosines = slice_along(rw, cosines, -1, 0, size / 2);
    sines = slice_along(rw, sines, -1, 0, size / 2);
  }
  if (const Value positions = node.input(3)) {
    cosines = rows_of_table(rw, cosines, as_i64(rw, positions));
    sines = rows_of_table(rw, sines, as_i64(rw, positions));
  }
  const bool interleaved = node.attr("interleaved", false);
  if (rank == 4) {
    node.ignore({"num_heads"}, "of data with three dimensions; the heads are a dimension here");
    return rotated(rw, node.input(0), cosines, sines, interleaved);
  }
  MO_ASSIGN(const std::int64_t heads, head_count(node, "num_heads"));
  return merged_heads(rw, rotated(rw, split_heads(rw, node.input(0), heads), cosines, sines, interleaved));
}

}  // namespace

void register_rotary_embedding(OperatorTable& table) {
  table.translate("RotaryEmbedding", since(23), rotary_embedding_of_onnx);
}

}  // namespace mo::onnx
