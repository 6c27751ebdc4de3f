#pragma once

#include <optional>

#include "core/rewrite.hpp"

/// One direction of RNNSequence, GRUSequence or LSTMSequence-5, written as a loop over its cell.
namespace mo::transformations {

struct SequenceLoopPlan {
  Node sequence;
  Op cell;                 ///< what the body computes in a step
  std::size_t states = 1;  ///< of the cell: 2 for an LSTM
  Value data;              ///< [batch, steps, input]
  bool reverse = false;    ///< from the last step to the first
  /// the lengths are an input although nothing reads them, as the original library writes the loop
  bool keeps_lengths = false;
  /// sequences may have fewer steps than there are: the input after the states holds the lengths
  bool ends_early = false;
  /// of the direction, in states and weights that have both; nothing: they have one
  std::optional<std::int64_t> place = {};
  /// that the data does not tell; nothing: it is unknown, or known from the data
  std::optional<std::int64_t> batch = {};
};

/// The outputs of a TensorIterator over the steps: all states h [batch, steps, hidden], then the last of each state
/// [batch, hidden].
Outputs make_sequence_loop(SequenceLoopPlan plan, Rewriter& rw);

}  // namespace mo::transformations
