#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"
#include "transformations/runtime_faults/support/sequence_loops.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/recurrent_streams.hpp"
#include "transformations/support/runtime_fault.hpp"
#include "transformations/support/same_cell.hpp"

namespace mo::transformations {
namespace {

/// A sequence of both directions whose data and states have known sizes, but for batch and steps: the runtime needs
/// them to split the directions.
Replacement with_known_sizes(const Node& node, std::int64_t hidden, Rewriter& rw) {
  const SequencePorts ports(node);
  const std::int64_t size = node.input_type(ports.weights).shape[2].value();  // of a constant
  std::vector<Value> inputs = inputs_of(node);
  inputs[0] = rw.create(ops::Reshape{.special_zero = true}, inputs[0], rw.integers({0, 0, size}));
  for (std::size_t i = 1; i <= ports.states; ++i)
    inputs[i] = rw.create(ops::Reshape{.special_zero = true}, inputs[i], rw.integers({0, 2, hidden}));
  const Node made = rw.copy_with_new_inputs(node, inputs);
  Outputs outputs;
  for (std::size_t i = 0; i < made.out_port_count(); ++i) outputs.push_back(made.output(i));
  return outputs;
}

/// sequence(x, states, lengths, …) -> a TensorIterator over the cell for each direction, that keeps the states after
/// the end of a sequence.
template <OpLike Sequence, OpLike Cell>
Replacement loops_that_read_lengths(const Node& node, Rewriter& rw) {
  const PartialShape& data = node.input_type(0).shape;
  if (!data.has_rank() || data.size() != 3) return declined("the rank of the data is unknown");
  if (data[0].is_known() && data[1].is_known()) return declined("batch and number of steps are known");
  if (has_lengths(node, {})) return declined("every sequence has all steps");
  const Sequence& op = *node.as<Sequence>();
  // Runtimes crash on a cell of constant weights whose data or states have unknown sizes, which the choice of a
  // direction loses.
  const PartialShape& state = node.input_type(1).shape;
  const bool are_sizes_known =
      state.has_rank() && state.size() == 3 && state[1].is_known() && state[2].is_known() && data[2].is_known();
  if (op.direction == ops::RecurrentDirection::bidirectional && !are_sizes_known &&
      !has_computed_weights(node, SequencePorts(node).weights))
    return with_known_sizes(node, op.hidden_size, rw);
  return sequence_as_loops(node, same_cell<Cell>(op), op.direction, /*ends_early=*/true, rw);
}

}  // namespace

void register_lengths_of_unknown_sizes(PassRegistry& passes) {
  passes.add(
      avoid_fault("LengthsOfUnknownSizes",
                  {.form = "RNNSequence, GRUSequence or LSTMSequence-5 of an unknown batch or number of steps, whose "
                           "sequences may end early",
                   .symptom = "the lengths are not read: every sequence has all steps",
                   .first = "2022.1",
                   .last = "latest",
                   .replacement = "a TensorIterator over the cell, with a Select where the sequence has ended"})
          .add(lowering<ops::RNNSequence>("LengthsOfRNN", loops_that_read_lengths<ops::RNNSequence, ops::RNNCell>))
          .add(lowering<ops::GRUSequence>("LengthsOfGRU", loops_that_read_lengths<ops::GRUSequence, ops::GRUCell>))
          .add(lowering<ops::v5::LSTMSequence>("LengthsOfLSTM",
                                               loops_that_read_lengths<ops::v5::LSTMSequence, ops::v4::LSTMCell>)));
}

}  // namespace mo::transformations
