#include <algorithm>

#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/broadcast.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reverse_sequence.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/op_rules.hpp"
#include "transformations/support/same_cell.hpp"
#include "transformations/support/sequence_loop.hpp"

namespace mo::transformations {
namespace {

/// All sequences are certainly `length` long: known numbers, or one constant stretched over the batch.
bool are_all(Value lengths, std::int64_t length) {
  if (!integers_of(lengths) && (lengths.node().is<ops::v3::Broadcast>() || lengths.node().is<ops::v1::Broadcast>()))
    lengths = lengths.node().input(0);
  const auto numbers = integers_of(lengths);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [=](std::int64_t n) { return n == length; });
}

Outputs loop_of(const Node& node, Op cell, std::size_t states, bool reverse, Rewriter& rw) {
  const Value lengths = node.input(states + 1);
  const bool ends_early = !are_all(lengths, node.input_type(0).shape[1].value());
  // Of sequences that end early, only the elements up to the end change their places.
  const bool exchanges = reverse && ends_early;
  const auto exchanged = [&](const Value& x) {
    return exchanges ? rw.create(ops::ReverseSequence{.batch_axis = 0, .seq_axis = 1}, x, lengths) : x;
  };
  Outputs outputs = make_sequence_loop({.sequence = node,
                                        .cell = std::move(cell),
                                        .states = states,
                                        .data = exchanged(node.input(0)),
                                        .reverse = reverse && !ends_early,
                                        .keeps_lengths = true,
                                        .ends_early = ends_early},
                                       rw);
  outputs[0] = exchanged(outputs[0]);
  for (Value& output : outputs) output = rw.create(ops::Unsqueeze{}, output, rw.integers({1}));
  return outputs;
}

template <OpLike Sequence, OpLike Cell>
void register_loop(PassRegistry& passes, const std::string& name, std::size_t states) {
  const std::string type(Sequence::id.type);
  passes.offer(
      rewrite(name)
          .described(
              type, "TensorIterator over " + std::string(Cell::id.type) + "; with a mask where sequences may end early",
              "one direction; the number of steps is known")
          .match(pattern::op<Sequence>())
          .replace(of_op<Sequence>([=](const Node& node, const Sequence& op, Rewriter& rw) -> Replacement {
            if (op.direction == ops::RecurrentDirection::bidirectional) return declined("both directions");
            const PartialShape& data = node.input_type(0).shape;
            if (!data.has_rank() || data.size() != 3 || !data[1].is_known())
              return declined("the number of steps is unknown");
            return loop_of(node, same_cell<Cell>(op), states, op.direction == ops::RecurrentDirection::reverse, rw);
          })));
}

}  // namespace

void register_convert_sequence_to_tensor_iterator(PassRegistry& passes) {
  register_loop<ops::RNNSequence, ops::RNNCell>(passes, "ConvertRNNSequenceToTensorIterator", 1);
  register_loop<ops::GRUSequence, ops::GRUCell>(passes, "ConvertGRUSequenceToTensorIterator", 1);
  register_loop<ops::v5::LSTMSequence, ops::v4::LSTMCell>(passes, "ConvertLSTMSequenceToTensorIterator", 2);
  passes.offer(pipeline("ConvertSequenceToTensorIterator")
                   .described("RNNSequence, GRUSequence, LSTMSequence", "TensorIterator over the cell")
                   .group("ConvertSequenceToTensorIterator",
                          {"ConvertRNNSequenceToTensorIterator", "ConvertGRUSequenceToTensorIterator",
                           "ConvertLSTMSequenceToTensorIterator"}));
}

}  // namespace mo::transformations
