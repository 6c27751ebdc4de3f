#include "extensions/back/lowering.hpp"
#include "extensions/back/support/computed_values.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "extensions/back/support/sequence_loops.hpp"
#include "extensions/middle/support/recurrent_streams.hpp"
#include "extensions/middle/support/same_cell.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"

namespace mo::back {
namespace {

/// sequence(x, states, lengths, W, R, B) -> a TensorIterator over the cell for each direction.
template <OpLike Sequence, OpLike Cell>
Replacement loops_over_cells(const Node& node, Rewriter& rw) {
  if (!has_computed_weights(node, middle::SequencePorts(node).weights)) return declined("the weights are constants");
  const Sequence& op = *node.as<Sequence>();
  return sequence_as_loops(node, middle::same_cell<Cell>(op), op.direction, !middle::has_lengths(node, {}), rw);
}

}  // namespace

void register_sequences_of_computed_weights(PassRegistry& passes) {
  passes.add(avoid_fault("SequencesOfComputedWeights",
                         {.form = "RNNSequence, GRUSequence or LSTMSequence-5 whose W, R or B is computed",
                          .symptom = "not compiled: W, R and B must be constants",
                          .first = "2021.4",
                          .last = "2022.3",
                          .replacement = "a TensorIterator over the cell (CellsOfComputedWeights)"})
                 .add(lowering<ops::RNNSequence>("LoopOverRNNCell", loops_over_cells<ops::RNNSequence, ops::RNNCell>))
                 .add(lowering<ops::GRUSequence>("LoopOverGRUCell", loops_over_cells<ops::GRUSequence, ops::GRUCell>))
                 .add(lowering<ops::v5::LSTMSequence>("LoopOverLSTMCell",
                                                      loops_over_cells<ops::v5::LSTMSequence, ops::v4::LSTMCell>)));
}

}  // namespace mo::back
