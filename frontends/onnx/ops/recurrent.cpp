#include <algorithm>

#include "frontends/onnx/ops/support/recurrent_layer.hpp"
#include "frontends/onnx/ops/support/recurrent_steps.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

/// ONNX inputs of LSTM, GRU and RNN: X, W, R, B, sequence_lens, initial_h, and for LSTM initial_c, P. With layout 0 the
/// time comes first: X [length, batch, input], states [directions, batch, hidden], Y [length, directions, batch,
/// hidden]. The IR has the batch first: X [batch, length, input], states [batch, directions, hidden], Y [batch,
/// directions, length, hidden].
class RecurrentSequence {
 public:
  RecurrentSequence(const FrameworkNode& node, Rewriter& rw, const RecurrentLayer& layer, std::int64_t gates)
      : node_(node),
        rw_(rw),
        layer_(layer),
        gates_(gates),
        directions_(static_cast<std::int64_t>(layer.activations.size())) {
    x_ = layer.batch_first ? node.input(0) : transposed(node.input(0), {1, 0, 2});
  }

  Value x() const { return x_; }
  Value weights() const { return node_.input(1); }
  Value recurrence() const { return node_.input(2); }
  Value biases() const { return node_.input(3); }

  /// The initial state at input `i`; zeros when there is none.
  Value state(std::size_t i) {
    if (node_.input(i)) return layer_.batch_first ? node_.input(i) : transposed(node_.input(i), {1, 0, 2});
    return rw_.create(ops::Broadcast{}, number_like(rw_, x_, 0),
                      join(rw_, {length_along(rw_, x_, 0), rw_.integers({directions_, layer_.hidden})}));
  }
  /// The lengths at input 4; those of the data when there are none.
  Value lengths() {
    if (node_.input(4)) return node_.input(4);
    return rw_.create(ops::Broadcast{}, length_along(rw_, x_, 1), length_along(rw_, x_, 0));
  }
  /// Zeros [directions, count * hidden] of the type of the weights.
  Value zero_bias(std::int64_t count) {
    return rw_.create(ops::Broadcast{}, number_like(rw_, weights(), 0),
                      rw_.integers({directions_, count * layer_.hidden}));
  }
  /// B is [directions, 2 * gates * hidden]: those for the input, then those for the state. Their sum.
  Value summed_bias() {
    if (!biases()) return zero_bias(gates_);
    const Value halves = rw_.create(ops::Reshape{}, biases(), rw_.integers({directions_, 2, gates_ * layer_.hidden}));
    return rw_.create(ops::ReduceSum{}, halves, rw_.integers({1}));
  }
  /// Blocks of `hidden` rows in another order; `has_columns`: the tensor has a dimension after the rows.
  Value reordered(const Value& tensor, const Integers& order, bool has_columns) {
    const std::int64_t hidden = layer_.hidden;
    const Integers apart =
        has_columns ? Integers{directions_, gates_, hidden, -1} : Integers{directions_, gates_, hidden};
    const Integers together =
        has_columns ? Integers{directions_, gates_ * hidden, -1} : Integers{directions_, gates_ * hidden};
    const Value blocks = rw_.create(ops::Reshape{}, tensor, rw_.integers(apart));
    const Value moved = rw_.create(ops::Gather{}, blocks, rw_.integers(order), rw_.scalar<std::int64_t>(1));
    return rw_.create(ops::Reshape{}, moved, rw_.integers(together));
  }

  /// The node's outputs from those of the IR's op: all states, the last state, (the last cell state).
  Outputs outputs(const Node& sequence) {
    Outputs made(node_.output_count());
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (!node_.output_used(i)) continue;
      if (i == 0)
        made[i] = transposed(sequence.output(0), layer_.batch_first ? Integers{0, 2, 1, 3} : Integers{2, 1, 0, 3});
      else
        made[i] = layer_.batch_first ? sequence.output(i) : transposed(sequence.output(i), {1, 0, 2});
    }
    return made;
  }

  /// The attributes that all sequence ops of the IR have.
  template <class T>
  T with_layer(T op) const {
    op.hidden_size = layer_.hidden;
    op.direction = layer_.direction;
    op.activations = layer_.activations[0].names;
    op.clip = layer_.clip;
    return op;
  }

 private:
  Value transposed(const Value& x, const Integers& order) {
    return rw_.create(ops::Transpose{}, x, rw_.integers(order));
  }

  const FrameworkNode& node_;
  Rewriter& rw_;
  const RecurrentLayer& layer_;
  std::int64_t gates_;
  std::int64_t directions_;
  Value x_;
};

/// What the sequence ops of the IR cannot say: one direction after the other, step by step. `input_forget` and
/// `linear_before_reset` are those of LSTM and GRU.
Replacement write_out_steps(const FrameworkNode& node, Rewriter& rw, const RecurrentLayer& layer, CellKind kind,
                            bool input_forget, bool linear_before_reset) {
  const auto at = [&](const Value& tensor, std::int64_t axis, std::int64_t direction) {
    return tensor ? rw.create(ops::Gather{}, tensor, rw.scalar<std::int64_t>(direction), rw.scalar<std::int64_t>(axis))
                  : Value();
  };
  const std::int64_t state_axis = layer.batch_first ? 1 : 0;
  const std::int64_t output_axis = layer.batch_first ? 2 : 1;
  const Value zeros =
      rw.create(ops::Broadcast{}, number_like(rw, node.input(2), 0),
                join(rw, {length_along(rw, node.input(0), layer.batch_first ? 0 : 1), rw.integers({layer.hidden})}));
  // In the order of the outputs: all states, the last one, the last cell state; each with a dimension of directions.
  std::vector<std::vector<Value>> parts(3);
  for (std::size_t i = 0; i < layer.activations.size(); ++i) {
    const auto direction = static_cast<std::int64_t>(i);
    const auto state = [&](std::size_t input) {
      return node.input(input) ? at(node.input(input), state_axis, direction) : zeros;
    };
    MO_ASSIGN(const RecurrentStates made,
              recurrent_steps(rw, {.kind = kind,
                                   .hidden = layer.hidden,
                                   .functions = layer.activations[i].functions(),
                                   .clip = layer.clip,
                                   .reverse = direction == 1 || layer.direction == ops::RecurrentDirection::reverse,
                                   .batch_first = layer.batch_first,
                                   .input_forget = input_forget,
                                   .linear_before_reset = linear_before_reset,
                                   .x = node.input(0),
                                   .weights = at(node.input(1), 0, direction),
                                   .recurrence = at(node.input(2), 0, direction),
                                   .bias = at(node.input(3), 0, direction),
                                   .lengths = node.input(4),
                                   .hidden_state = state(5),
                                   .cell_state = kind == CellKind::lstm ? state(6) : Value(),
                                   .peepholes = kind == CellKind::lstm ? at(node.input(7), 0, direction) : Value()}));
    parts[0].push_back(rw.create(ops::Unsqueeze{}, made.all, rw.integers({output_axis})));
    parts[1].push_back(rw.create(ops::Unsqueeze{}, made.last, rw.integers({state_axis})));
    if (made.cell) parts[2].push_back(rw.create(ops::Unsqueeze{}, made.cell, rw.integers({state_axis})));
  }
  Outputs outputs(node.output_count());
  for (std::size_t i = 0; i < outputs.size() && i < parts.size(); ++i) {
    if (!node.output_used(i) || parts[i].empty()) continue;
    outputs[i] = parts[i].size() == 1 ? parts[i].front()
                                      : rw.create(ops::Concat{.axis = i == 0 ? output_axis : state_axis}, parts[i]);
  }
  return outputs;
}

/// Peepholes that are not all zero.
bool has_peepholes(const FrameworkNode& node) {
  if (!node.has_input(7)) return false;
  const auto numbers = reals_of(node.input(7));
  return !numbers || std::any_of(numbers->begin(), numbers->end(), [](double p) { return p != 0; });
}

Replacement lstm(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const RecurrentLayer layer, read_recurrent_layer(node, {"Sigmoid", "Tanh", "Tanh"}));
  const bool input_forget = node.attr("input_forget", false);
  if (layer.step_by_step() || input_forget || has_peepholes(node))
    return write_out_steps(node, rw, layer, CellKind::lstm, input_forget, false);
  RecurrentSequence sequence(node, rw, layer, 4);
  // ONNX has the gates in the order input, output, forget, cell; the IR wants forget, input, cell, output.
  const Integers order = {2, 0, 3, 1};
  const Value weights = sequence.reordered(sequence.weights(), order, true);
  const Value recurrence = sequence.reordered(sequence.recurrence(), order, true);
  const Value bias =
      sequence.biases() ? sequence.reordered(sequence.summed_bias(), order, false) : sequence.zero_bias(4);
  return sequence.outputs(rw.create_node(
      sequence.with_layer(ops::LSTMSequence{}),
      {sequence.x(), sequence.state(5), sequence.state(6), sequence.lengths(), weights, recurrence, bias}, 3));
}

/// The bias of a GRU that applies the reset gate after the product: z, r (both sums), the input's n, the state's n.
Value gru_bias(RecurrentSequence& sequence, Rewriter& rw, std::int64_t hidden) {
  if (!sequence.biases()) return sequence.zero_bias(4);
  const auto part = [&](std::int64_t first, std::int64_t count) {
    return slice_along(rw, sequence.biases(), 1, first * hidden, (first + count) * hidden);
  };
  const Value update_and_reset = rw.create(ops::Add{}, part(0, 2), part(3, 2));
  return rw.create(ops::Concat{.axis = 1}, {update_and_reset, part(2, 1), part(5, 1)});
}

Replacement gru(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const RecurrentLayer layer, read_recurrent_layer(node, {"Sigmoid", "Tanh"}));
  const bool linear = node.attr("linear_before_reset", false);  // since opset 3
  if (layer.step_by_step()) return write_out_steps(node, rw, layer, CellKind::gru, false, linear);
  RecurrentSequence sequence(node, rw, layer, 3);
  auto op = sequence.with_layer(ops::GRUSequence{});
  op.linear_before_reset = linear;
  // Both have the gates in the order z, r, n.
  const Value bias = linear ? gru_bias(sequence, rw, layer.hidden) : sequence.summed_bias();
  return sequence.outputs(rw.create_node(
      std::move(op),
      {sequence.x(), sequence.state(5), sequence.lengths(), sequence.weights(), sequence.recurrence(), bias}, 2));
}

Replacement rnn(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const RecurrentLayer layer, read_recurrent_layer(node, {"Tanh"}));
  if (layer.step_by_step()) return write_out_steps(node, rw, layer, CellKind::rnn, false, false);
  RecurrentSequence sequence(node, rw, layer, 1);
  return sequence.outputs(rw.create_node(sequence.with_layer(ops::RNNSequence{}),
                                         {sequence.x(), sequence.state(5), sequence.lengths(), sequence.weights(),
                                          sequence.recurrence(), sequence.summed_bias()},
                                         2));
}

}  // namespace

/// Opset 7 makes `output_sequence` go, 14 adds `layout`.
void register_recurrent(OperatorTable& table) {
  // Version 7 took output_sequence away, GRU-3 changed the default of direction.
  table.translate("LSTM", versions(1, 6), lstm);
  table.translate("LSTM", since(7), lstm);
  table.translate("GRU", versions(1, 2), gru);
  table.translate("GRU", versions(3, 6), gru);
  table.translate("GRU", since(7), gru);
  table.translate("RNN", versions(1, 6), rnn);
  table.translate("RNN", since(7), rnn);
}

}  // namespace mo::onnx
