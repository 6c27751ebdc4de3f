#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/sequence_loops.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/recurrent_streams.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/same_cell.hpp"

namespace mo::transformations {
namespace {

/// sequence(x, states, lengths, W, R, B) -> a TensorIterator over the cell for each direction.
template <OpLike Sequence, OpLike Cell>
Replacement loops_over_cells(const Node& node, Rewriter& rw) {
  if (!has_computed_weights(node, SequencePorts(node).weights)) return declined("the weights are constants");
  const Sequence& op = *node.as<Sequence>();
  return sequence_as_loops(node, same_cell<Cell>(op), op.direction, !has_lengths(node, {}), rw);
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

}  // namespace mo::transformations
