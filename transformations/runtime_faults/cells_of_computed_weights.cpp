#include "ops/recurrent_cells.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/cell_arithmetic.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// cell(x, states, W, R, B) -> its products, sums and functions.
template <Replacement (*arithmetic)(const Node&, Rewriter&), std::size_t states>
Replacement written_out(const Node& node, Rewriter& rw) {
  if (!has_computed_weights(node, 1 + states)) return declined("the weights are constants");
  return arithmetic(node, rw);
}

}  // namespace

void register_cells_of_computed_weights(PassRegistry& passes) {
  passes.add(avoid_fault("CellsOfComputedWeights", {.form = "RNNCell, GRUCell or LSTMCell whose W, R or B is computed",
                                                    .symptom = "not compiled: W, R and B must be constants",
                                                    .first = "2021.4",
                                                    .last = "2022.3",
                                                    .replacement = "MatMul, Add, Split and the functions of the cell"})
                 // These passes make cells.
                 .run_after({"LengthsOfUnknownSizes", "SequencesOfComputedWeights"})
                 .add(lowering<ops::RNNCell>("RNNCellWrittenOut", written_out<rnn_cell_arithmetic, 1>))
                 .add(lowering<ops::GRUCell>("GRUCellWrittenOut", written_out<gru_cell_arithmetic, 1>))
                 .add(lowering<ops::v4::LSTMCell>("LSTMCellWrittenOut", written_out<lstm_cell_arithmetic, 2>))
                 .add(lowering<ops::v0::LSTMCell>("FirstLSTMCellWrittenOut", written_out<lstm_cell_arithmetic, 2>)));
}

}  // namespace mo::transformations
