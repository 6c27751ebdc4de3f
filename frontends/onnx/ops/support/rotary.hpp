#pragma once

#include "core/pass/rewriter.hpp"

/// Rotary embeddings: pairs of elements turned by an angle that depends on the position in the sequence.
namespace mo::onnx {

/// The rows of a table [M, size / 2] for positions [B, S] (i64): [B, S, size / 2].
Value rows_of_table(Rewriter& rw, const Value& table, const Value& positions);

/// x [B, N, S, H] turned by the angles whose cosines and sines [B, S, size / 2] are given: the first `size` elements of
/// each head, as pairs of neighbours (`interleaved`) or of element i and element i + size / 2.
Value rotated(Rewriter& rw, const Value& x, const Value& cosines, const Value& sines, bool interleaved);

/// x [B, S, N * H] with heads as long as those of tables of `half` (a length) columns: [B, N, S, H].
Value split_whole_heads(Rewriter& rw, const Value& x, const Value& half);

}  // namespace mo::onnx
