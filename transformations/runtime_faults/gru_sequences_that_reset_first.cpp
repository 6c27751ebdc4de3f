#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/reset_first.hpp"
#include "transformations/runtime_faults/support/sequence_loops.hpp"
#include "transformations/support/recurrent_streams.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/same_cell.hpp"

namespace mo::transformations {
namespace {

/// GRUSequence(x, h, lengths, W, R, B) -> a TensorIterator over the cell for each direction, as the runtime makes one
/// of it. LengthsOfUnknownSizes does it for unknown sizes.
Replacement loops_over_cells_that_reset_first(const Node& node, Rewriter& rw) {
  const ops::GRUSequence& op = *node.as<ops::GRUSequence>();
  if (!resets_first(op))
    return declined("the state is reset after its product, or there are other functions or a clip");
  const PartialShape& data = node.input_type(0).shape;
  if (!data.has_rank() || data.size() != 3 || !data[0].is_known() || !data[1].is_known())
    return declined("batch or number of steps are unknown");
  if (has_lengths(node, {})) return declined("every sequence has all steps");
  return sequence_as_loops(node, same_cell<ops::GRUCell>(op), op.direction, /*ends_early=*/true, rw);
}

}  // namespace

void register_gru_sequences_that_reset_first(PassRegistry& passes) {
  passes.add(avoid_fault("GRUSequencesThatResetFirst",
                         {.form = "GRUSequence without linear_before_reset, of sigmoid and tanh and known sizes, whose "
                                  "sequences may end early",
                          .symptom = "wrong values when the hidden size reaches the width of the processor's vectors",
                          .first = "2021.4",
                          .last = "2022.1",
                          .replacement = "a TensorIterator over the cell (GRUCellsThatResetFirst)"})
                 .add(lowering<ops::GRUSequence>("LoopOverCellThatResetsFirst", loops_over_cells_that_reset_first)));
}

}  // namespace mo::transformations
