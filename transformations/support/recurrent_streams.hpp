#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"

/// Ops before and after sequences: reversals, and exchanges of dimensions.
namespace mo::transformations {

/// LSTMSequence-5 or GRUSequence-5.
bool is_sequence(const Node& node);
/// Places of the inputs of a sequence.
struct SequencePorts {
  explicit SequencePorts(const Node& sequence);
  std::size_t states;  ///< 1 or 2, from input 1 on
  std::size_t lengths;
  std::size_t weights;  ///< W, R and B from here on
};

/// Reversal of the steps of a tensor: of all, or of the first `lengths` of each sequence.
struct Reversal {
  Node node;
  std::int64_t axis = 0;
  Value lengths;  ///< empty: all
};

/// The reversal of a tensor [batch, length, n] or [length, batch, n] along one of the first two axes that `node` is.
std::optional<Reversal> reversal_of(const Node& node);
/// A Transpose that exchanges the first two of three dimensions.
bool is_exchange(const Node& node);

/// Whether the sequence's lengths are those: of all steps (`lengths` empty), or the same numbers.
bool has_lengths(const Node& sequence, const Value& lengths);

}  // namespace mo::transformations
