#include "ops/broadcast.hpp"
#include "ops/gather.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/reset_first.hpp"
#include "transformations/support/cell_arithmetic.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/same_cell.hpp"

namespace mo::transformations {
namespace {

/// The length of each sequence of the batch of `x`: one step.
Value one_step(const Value& x, Rewriter& rw) {
  if (const Dimension batch = x.type().shape[0]; batch.is_known())
    return rw.integers(std::vector<std::int64_t>(static_cast<std::size_t>(batch.value()), 1));
  const Value count =
      rw.create(ops::v1::Gather{}, rw.create(ops::v3::ShapeOf{}, x), rw.integers({0}), rw.scalar<std::int64_t>(0));
  return rw.create(ops::v3::Broadcast{}, rw.scalar<std::int64_t>(1), count);
}

/// GRUCell(x, h, W, R, B) -> a GRUSequence over one step. Its first output is read: 2021.4 refuses bodies that read the
/// second one only.
Replacement sequence_of_one_step(const Node& node, Rewriter& rw) {
  const ops::GRUCell& op = *node.as<ops::GRUCell>();
  if (!resets_first(op))
    return declined("the state is reset after its product, or there are other functions or a clip");
  if (has_computed_weights(node, 2))
    return declined("the weights are computed, so that CellsOfComputedWeights replaces it");
  if (!node.input(4)) return declined("there is no bias");
  if (!node.input_type(0).rank()) return gru_cell_arithmetic(node, rw);  // a sequence needs the rank
  const auto unsqueezed = [&](std::size_t i, std::int64_t axis) {
    return rw.fold(ops::Unsqueeze{}, node.input(i), rw.integers({axis}));
  };
  const Node sequence = rw.create_node(same_cell<ops::GRUSequence>(op),
                                       {unsqueezed(0, 1), unsqueezed(1, 1), one_step(node.input(0), rw),
                                        unsqueezed(2, 0), unsqueezed(3, 0), unsqueezed(4, 0)},
                                       2);
  return rw.create(ops::Squeeze{}, sequence.output(0), rw.integers({1, 2}));
}

}  // namespace

void register_gru_cells_that_reset_first(PassRegistry& passes) {
  passes.add(
      avoid_fault("GRUCellsThatResetFirst",
                  {.form = "GRUCell without linear_before_reset, of sigmoid and tanh",
                   .symptom = "wrong values when the hidden size reaches the width of the processor's vectors",
                   .first = "2021.4",
                   .last = "2022.1",
                   .replacement = "GRUSequence of one step, or what the cell computes where the rank is unknown"})
          // These passes make cells.
          .run_after({"GRUSequencesThatResetFirst", "LengthsOfUnknownSizes"})
          .add(lowering<ops::GRUCell>("SequenceOfOneStep", sequence_of_one_step)));
}

}  // namespace mo::transformations
