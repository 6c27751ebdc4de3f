#include <algorithm>

#include "extensions/support/front_shapes.hpp"
#include "extensions/support/recurrent_steps.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Strings = std::vector<std::string>;

/// ONNX inputs of LSTM, GRU and RNN: X, W, R, B, sequence_lens, initial_h, and for LSTM initial_c, P. With layout 0 the time comes first:
/// X [length, batch, input], states [directions, batch, hidden], Y [length, directions, batch, hidden].
/// The IR has the batch first: X [batch, length, input], states [batch, directions, hidden], Y [batch, directions, length, hidden].
class Sequence {
 public:
  Sequence(const Node& node, Rewriter& rw, std::int64_t gates)
      : node_(node), rw_(rw), gates_(gates), batch_first_(node.attr<bool>("batch_first").value_or(false)) {}

  /// Errors: MO-ONNX-0223 (X, W or R is missing), MO-ONNX-0233 (hidden_size is not known).
  Expected<void> prepare() {
    for (std::size_t i = 0; i < 3; ++i)
      if (!node_.input(i)) return node_.error("MO-ONNX-0223", "input {} is missing", i).hint("X, W and R are needed");
    directions_ = node_.attr<std::string>("direction") == "bidirectional" ? 2 : 1;
    hidden_ = node_.attr<std::int64_t>("hidden_size").value_or(0);
    // R is [directions, gates * hidden, hidden].
    if (const auto recurrence = known_constant(node_.input(2)); hidden_ == 0 && recurrence && recurrence->rank() == 3)
      hidden_ = recurrence->shape()[2];
    if (hidden_ < 1)
      return node_.error("MO-ONNX-0233", "hidden_size is not known").hint("the model needs the attribute hidden_size, or constant weights");
    x_ = batch_first_ ? node_.input(0) : transposed(node_.input(0), {1, 0, 2});
    return {};
  }

  std::int64_t hidden() const { return hidden_; }
  Value x() const { return x_; }
  Value weights() const { return node_.input(1); }
  Value recurrence() const { return node_.input(2); }

  bool batch_first() const { return batch_first_; }
  std::int64_t directions() const { return directions_; }

  /// The initial state at input `i`; zeros when there is none.
  Value state(std::size_t i) {
    if (node_.input(i)) return batch_first_ ? node_.input(i) : transposed(node_.input(i), {1, 0, 2});
    return rw_.create(ops::Broadcast{}, number_like(rw_, x_, 0), join(rw_, {length_along(rw_, x_, 0), rw_.integers({directions_, hidden_})}));
  }
  /// The lengths at input 4; those of the data when there are none.
  Value lengths() {
    if (node_.input(4)) return node_.input(4);
    return rw_.create(ops::Broadcast{}, length_along(rw_, x_, 1), length_along(rw_, x_, 0));
  }
  bool has_bias() const { return static_cast<bool>(node_.input(3)); }
  /// Zeros [directions, count * hidden] of the type of the weights.
  Value zero_bias(std::int64_t count) {
    return rw_.create(ops::Broadcast{}, number_like(rw_, weights(), 0), rw_.integers({directions_, count * hidden_}));
  }
  /// B is [directions, 2 * gates * hidden]: those for the input, then those for the state. Their sum.
  Value summed_bias() {
    if (!has_bias()) return zero_bias(gates_);
    const Value halves = rw_.create(ops::Reshape{}, node_.input(3), rw_.integers({directions_, 2, gates_ * hidden_}));
    return rw_.create(ops::ReduceSum{}, halves, rw_.integers({1}));
  }
  /// Blocks of `hidden` rows in another order; `has_columns`: the tensor has a dimension behind the rows.
  Value reordered(const Value& tensor, const Integers& order, bool has_columns) {
    const Integers apart = has_columns ? Integers{directions_, gates_, hidden_, -1} : Integers{directions_, gates_, hidden_};
    const Integers together = has_columns ? Integers{directions_, gates_ * hidden_, -1} : Integers{directions_, gates_ * hidden_};
    const Value blocks = rw_.create(ops::Reshape{}, tensor, rw_.integers(apart));
    const Value moved = rw_.create(ops::Gather{}, blocks, rw_.integers(order), rw_.scalar<std::int64_t>(1));
    return rw_.create(ops::Reshape{}, moved, rw_.integers(together));
  }
  Value recurrent_bias() const { return node_.input(3); }

  /// The node's outputs from those of the IR's op: all states, the last state, (the last cell state).
  Outputs outputs(const Node& sequence) {
    Outputs made;
    for (std::size_t i = 0; i < node_.out_port_count(); ++i) {
      if (node_.out_port(i).disconnected())
        made.emplace_back();
      else if (i == 0)
        made.push_back(transposed(sequence.output(0), batch_first_ ? Integers{0, 2, 1, 3} : Integers{2, 1, 0, 3}));
      else
        made.push_back(batch_first_ ? sequence.output(i) : transposed(sequence.output(i), {1, 0, 2}));
    }
    return made;
  }

  /// The attributes that extraction found, under the same names.
  Expected<void> copy_attributes(Op& op) const {
    for (const std::string_view name : {"direction", "activations", "activations_alpha", "activations_beta", "clip"})
      if (node_.has_attr(name)) MO_TRY(op.set_attribute(name, node_.attribute(name)));
    return op.set_attribute("hidden_size", hidden_);
  }

 private:
  Value transposed(const Value& x, const Integers& order) { return rw_.create(ops::Transpose{}, x, rw_.integers(order)); }

  Node node_;
  Rewriter& rw_;
  std::int64_t gates_;
  bool batch_first_;
  std::int64_t directions_ = 1;
  std::int64_t hidden_ = 0;
  Value x_;
};

/// The activations of one direction.
std::vector<CellFunction> functions_of(const Node& node, bool second) {
  const std::string prefix = second && node.has_attr("second_activations") ? "second_" : "";
  const auto names = node.attr<Strings>(prefix + "activations").value_or(Strings{});
  const auto alphas = node.attr<Reals>(prefix + "activations_alpha").value_or(Reals{});
  const auto betas = node.attr<Reals>(prefix + "activations_beta").value_or(Reals{});
  std::vector<CellFunction> functions;
  for (std::size_t i = 0; i < names.size(); ++i) functions.push_back({names[i], i < alphas.size() ? alphas[i] : 0, i < betas.size() ? betas[i] : 0});
  return functions;
}

/// What the sequence ops of the IR cannot say: one direction after the other, step by step.
Replacement write_out_steps(const Node& node, Rewriter& rw, const Sequence& sequence, CellKind kind) {
  const auto at = [&](const Value& tensor, std::int64_t axis, std::int64_t direction) {
    return tensor ? rw.create(ops::Gather{}, tensor, rw.scalar<std::int64_t>(direction), rw.scalar<std::int64_t>(axis)) : Value();
  };
  const bool batch_first = sequence.batch_first();
  const Value zeros = rw.create(ops::Broadcast{}, number_like(rw, sequence.recurrence(), 0),
                                join(rw, {length_along(rw, node.input(0), batch_first ? 0 : 1), rw.integers({sequence.hidden()})}));
  // In the order of the outputs: all states, the last one, the last cell state; each with a dimension of directions.
  std::vector<std::vector<Value>> parts(3);
  for (std::int64_t direction = 0; direction < sequence.directions(); ++direction) {
    const auto state = [&](std::size_t i) { return node.input(i) ? at(node.input(i), batch_first ? 1 : 0, direction) : zeros; };
    RecurrentSteps layer{.kind = kind,
                         .hidden = sequence.hidden(),
                         .functions = functions_of(node, direction == 1),
                         .clip = node.attr<double>("clip").value_or(0),
                         .reverse = direction == 1 || node.attr<std::string>("direction") == "reverse",
                         .batch_first = batch_first,
                         .input_forget = node.attr<bool>("input_forget").value_or(false),
                         .linear_before_reset = node.attr<bool>("linear_before_reset").value_or(false),
                         .x = node.input(0),
                         .weights = at(node.input(1), 0, direction),
                         .recurrence = at(node.input(2), 0, direction),
                         .bias = at(node.input(3), 0, direction),
                         .lengths = node.input(4),
                         .hidden_state = state(5),
                         .cell_state = kind == CellKind::lstm ? state(6) : Value(),
                         .peepholes = kind == CellKind::lstm ? at(node.input(7), 0, direction) : Value()};
    auto made = recurrent_steps(rw, layer);
    if (!made) return std::move(made).error();
    parts[0].push_back(rw.create(ops::Unsqueeze{}, made->all, rw.integers({batch_first ? 2 : 1})));
    parts[1].push_back(rw.create(ops::Unsqueeze{}, made->last, rw.integers({batch_first ? 1 : 0})));
    if (made->cell) parts[2].push_back(rw.create(ops::Unsqueeze{}, made->cell, rw.integers({batch_first ? 1 : 0})));
  }
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count() && i < parts.size(); ++i) {
    const std::int64_t axis = i == 0 ? (batch_first ? 2 : 1) : (batch_first ? 1 : 0);
    if (node.out_port(i).disconnected() || parts[i].empty())
      outputs.emplace_back();
    else
      outputs.push_back(parts[i].size() == 1 ? parts[i].front() : rw.create(ops::Concat{.axis = axis}, parts[i]));
  }
  return outputs;
}

/// The node has what LSTMSequence and its like have no place for.
bool needs_steps(const Node& node) { return node.attr<bool>("step_by_step").value_or(false); }

/// Peephole weights that are not all zero.
bool has_peepholes(const Node& node) {
  if (!node.input(7)) return false;
  const auto peepholes = known_reals(node.input(7));
  return !peepholes || std::any_of(peepholes->begin(), peepholes->end(), [](double p) { return p != 0; });
}

Replacement replace_lstm(const Node& node, Rewriter& rw) {
  Sequence sequence(node, rw, 4);
  if (auto ready = sequence.prepare(); !ready) return std::move(ready).error();
  if (needs_steps(node) || has_peepholes(node)) return write_out_steps(node, rw, sequence, CellKind::lstm);
  Op op = ops::LSTMSequence{};
  if (auto copied = sequence.copy_attributes(op); !copied) return std::move(copied).error();
  // ONNX has the gates in the order input, output, forget, cell; the IR wants forget, input, cell, output.
  const Integers order = {2, 0, 3, 1};
  const Value weights = sequence.reordered(sequence.weights(), order, true);
  const Value recurrence = sequence.reordered(sequence.recurrence(), order, true);
  const Value bias = sequence.has_bias() ? sequence.reordered(sequence.summed_bias(), order, false) : sequence.zero_bias(4);
  const Node made =
      rw.create_node(std::move(op), {sequence.x(), sequence.state(5), sequence.state(6), sequence.lengths(), weights, recurrence, bias}, 3);
  return sequence.outputs(made);
}

/// The bias of a GRU that applies the reset gate behind the product: z, r (both sums), the input's n, the state's n.
Value gru_bias(Sequence& sequence, Rewriter& rw) {
  if (!sequence.has_bias()) return sequence.zero_bias(4);
  const std::int64_t hidden = sequence.hidden();
  const auto part = [&](std::int64_t first, std::int64_t count) {
    return slice_along(rw, sequence.recurrent_bias(), 1, first * hidden, (first + count) * hidden);
  };
  const Value update_and_reset = rw.create(ops::Add{}, part(0, 2), part(3, 2));
  return rw.create(ops::Concat{.axis = 1}, {update_and_reset, part(2, 1), part(5, 1)});
}

Replacement replace_gru(const Node& node, Rewriter& rw) {
  Sequence sequence(node, rw, 3);
  if (auto ready = sequence.prepare(); !ready) return std::move(ready).error();
  if (needs_steps(node)) return write_out_steps(node, rw, sequence, CellKind::gru);
  const bool linear = node.attr<bool>("linear_before_reset").value_or(false);
  Op op = ops::GRUSequence{};
  if (auto set = op.set_attribute("linear_before_reset", linear); !set) return std::move(set).error();
  if (auto copied = sequence.copy_attributes(op); !copied) return std::move(copied).error();
  // Both have the gates in the order z, r, n.
  const Value bias = linear ? gru_bias(sequence, rw) : sequence.summed_bias();
  const Node made =
      rw.create_node(std::move(op), {sequence.x(), sequence.state(5), sequence.lengths(), sequence.weights(), sequence.recurrence(), bias}, 2);
  return sequence.outputs(made);
}

Replacement replace_rnn(const Node& node, Rewriter& rw) {
  Sequence sequence(node, rw, 1);
  if (auto ready = sequence.prepare(); !ready) return std::move(ready).error();
  if (needs_steps(node)) return write_out_steps(node, rw, sequence, CellKind::rnn);
  Op op = ops::RNNSequence{};
  if (auto copied = sequence.copy_attributes(op); !copied) return std::move(copied).error();
  const Node made = rw.create_node(
      std::move(op), {sequence.x(), sequence.state(5), sequence.lengths(), sequence.weights(), sequence.recurrence(), sequence.summed_bias()}, 2);
  return sequence.outputs(made);
}

}  // namespace

void register_recurrent(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxLSTM").replace_op(replace_lstm));
  passes.add(front_replacement_op("OnnxGRU").replace_op(replace_gru));
  passes.add(front_replacement_op("OnnxRNN").replace_op(replace_rnn));
}

}  // namespace mo::front::onnx
