#include <algorithm>
#include <array>
#include <cmath>

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/scan.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"
#include "ops/range.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {
namespace {

bool only_reads(const FrameworkNode& node, std::initializer_list<std::size_t> outputs) {
  for (std::size_t i = 0; i < node.output_count(); ++i)
    if (node.output_used(i) && std::find(outputs.begin(), outputs.end(), i) == outputs.end()) return false;
  return true;
}

/// Values for the outputs that are read: no others take part in the name.
Outputs for_readers(const FrameworkNode& node, Outputs all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!node.output_used(i)) all[i] = {};
  return all;
}

Value joined(Rewriter& rw, const Value& a, const Value& b) { return rw.create(ops::Concat{.axis = -1}, a, b); }

// -- LSTM -------------------------------------------------------------------------------------------------------------

/// Places of the four gates in TensorFlow's weights of one LSTM: input, cell, forget, output.
constexpr std::string_view kInputCellForgetOutput = "icfo";
constexpr std::string_view kInputForgetCellOutput = "ifco";

/// What the attributes of TensorFlow's block LSTMs say.
struct Lstm {
  std::string_view gates;
  double forget_bias = 0;
  double cell_clip = 0;  ///< 0: no limit
  bool peephole = false;

  /// The IR's LSTM has no peepholes and does not limit the cell state.
  bool is_plain() const { return !peephole && cell_clip == 0; }
};

/// `defaults`: of attributes that are missing. Error MO-TF-0660 for a number that is not finite.
Expected<Lstm> read_lstm(const FrameworkNode& node, const Lstm& defaults) {
  const double forget_bias = node.attr("forget_bias", defaults.forget_bias);
  const double clip = node.attr("cell_clip", defaults.cell_clip);
  if (!std::isfinite(forget_bias) || !std::isfinite(clip))
    return node.error("MO-TF-0660", "forget_bias is {} and cell_clip is {}", forget_bias, clip)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return Lstm{defaults.gates, forget_bias, clip > 0 ? clip : 0.0, node.attr("use_peephole", false)};
}

/// Inputs of LSTMBlockCell and, from its input 1 on, of BlockLSTM: x, the cell state before, the state before, weights
/// [input + hidden, 4 * hidden], peephole weights of i, f, o, bias [4 * hidden].
struct LstmInputs {
  Value x, cell, hidden, weights, peephole_i, peephole_f, peephole_o, bias;
};

LstmInputs lstm_inputs(const FrameworkNode& node, std::size_t first) {
  const auto at = [&](std::size_t i) { return node.input(first + i); };
  return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)};
}

/// One step of TensorFlow's LSTM in elementary ops; gives i, cs, f, o, ci, co, h.
Outputs lstm_step(Rewriter& rw, const Lstm& lstm, const LstmInputs& in) {
  const auto add = [&](const Value& a, const Value& b) { return rw.create(ops::Add{}, a, b); };
  const auto times = [&](const Value& a, const Value& b) { return rw.create(ops::Multiply{}, a, b); };
  const Value product = rw.create(ops::MatMul{}, joined(rw, in.x, in.hidden), in.weights);
  const Value sum = add(product, in.bias);
  const Node parts = rw.create_node(ops::Split{.num_splits = 4}, {sum, rw.scalar<std::int64_t>(-1)}, 4);
  const auto part = [&](char gate) { return parts.output(lstm.gates.find(gate)); };
  const auto seen = [&](const Value& before, const Value& state, const Value& weights) {
    return lstm.peephole ? add(before, times(state, weights)) : before;
  };
  Value forget = part('f');
  if (lstm.forget_bias != 0) forget = add(forget, number_like(rw, in.bias, lstm.forget_bias));
  const Value i = rw.create(ops::Sigmoid{}, seen(part('i'), in.cell, in.peephole_i));
  const Value f = rw.create(ops::Sigmoid{}, seen(forget, in.cell, in.peephole_f));
  const Value ci = rw.create(ops::Tanh{}, part('c'));
  Value cs = add(times(ci, i), times(in.cell, f));
  if (lstm.cell_clip > 0) cs = rw.create(ops::Clamp{.min = -lstm.cell_clip, .max = lstm.cell_clip}, cs);
  const Value o = rw.create(ops::Sigmoid{}, seen(part('o'), cs, in.peephole_o));
  const Value co = rw.create(ops::Tanh{}, cs);
  return {i, cs, f, o, ci, co, times(co, o)};
}

/// Weights as the IR's LSTM has them: W [4 * hidden, input], R [4 * hidden, hidden], B [4 * hidden], gates forget,
/// input, cell, output, the forget bias among the others.
struct IrWeights {
  std::int64_t hidden = 0;
  Value weights;
  Value recurrence;
  Value bias;
};

/// Columns of `tensor` [rows, 4 * hidden] or [4 * hidden] in blocks of `hidden`, in the order f, i, c, o.
Value in_ir_order(Rewriter& rw, const Value& tensor, std::string_view order, std::int64_t hidden, bool is_matrix) {
  const std::int64_t axis = is_matrix ? 1 : 0;
  std::vector<std::int64_t> apart = {4, hidden};
  std::vector<std::int64_t> together = {4 * hidden};
  if (is_matrix) {
    apart.insert(apart.begin(), -1);
    together.insert(together.begin(), -1);
  }
  std::vector<std::int64_t> places;
  for (const char gate : {'f', 'i', 'c', 'o'}) places.push_back(static_cast<std::int64_t>(order.find(gate)));
  const Value blocks = rw.create(ops::Reshape{}, tensor, rw.integers(apart));
  const Value moved = rw.create(ops::Gather{}, blocks, rw.integers(places), rw.scalar<std::int64_t>(axis));
  return rw.create(ops::Reshape{}, moved, rw.integers(together));
}

/// The size of the state, as far as weights [rows, 4 * hidden] or a bias [4 * hidden] tell it. Error MO-TF-0661 for
/// weights of another shape.
Expected<std::optional<std::int64_t>> hidden_size(const FrameworkNode& node, const LstmInputs& in) {
  constexpr std::int64_t kLargestState = std::int64_t{1} << 32;
  for (const auto& [tensor, rank] : {std::pair(in.weights, std::size_t{2}), std::pair(in.bias, std::size_t{1})}) {
    const PartialShape& shape = type_of(tensor).shape;
    if (!shape.has_rank()) continue;
    const bool fits = shape.size() == rank && (!shape[rank - 1].is_known() ||
                                               (shape[rank - 1].value() >= 4 && shape[rank - 1].value() % 4 == 0 &&
                                                shape[rank - 1].value() / 4 <= kLargestState));
    if (!fits)
      return node.error("MO-TF-0661", "weights of shape {} do not consist of four gates", shape.to_string())
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    if (shape[rank - 1].is_known()) return std::optional(shape[rank - 1].value() / 4);
  }
  return std::optional<std::int64_t>();
}

IrWeights ir_weights(Rewriter& rw, const Lstm& lstm, const LstmInputs& in, std::int64_t hidden) {
  IrWeights made{.hidden = hidden};
  const Value rows =
      rw.create(ops::Transpose{}, in_ir_order(rw, in.weights, lstm.gates, hidden, true), rw.integers({1, 0}));
  const Node split =
      rw.create_node(ops::VariadicSplit{}, {rows, rw.scalar<std::int64_t>(1), rw.integers({-1, hidden})}, 2);
  made.weights = split.output(0);
  made.recurrence = split.output(1);
  made.bias = in_ir_order(rw, in.bias, lstm.gates, hidden, false);
  if (lstm.forget_bias != 0) {
    // Only the forget gate, the first block, gets it.
    const Value forget = rw.create(ops::Broadcast{}, number_like(rw, in.bias, lstm.forget_bias), rw.integers({hidden}));
    const Value others = rw.create(ops::Broadcast{}, number_like(rw, in.bias, 0), rw.integers({3 * hidden}));
    made.bias = rw.create(ops::Add{}, made.bias, rw.create(ops::Concat{.axis = 0}, forget, others));
  }
  return made;
}

/// LSTMBlockCell -> LSTMCell when only the states are read, else elementary ops
Replacement lstm_block_cell(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(8));
  MO_ASSIGN(const Lstm lstm, read_lstm(node, {.gates = kInputCellForgetOutput, .forget_bias = 1, .cell_clip = 3}));
  const LstmInputs in = lstm_inputs(node, 0);
  MO_ASSIGN(const auto hidden, hidden_size(node, in));
  if (!hidden || !lstm.is_plain() || !only_reads(node, {1, 6})) return for_readers(node, lstm_step(rw, lstm, in));
  const IrWeights w = ir_weights(rw, lstm, in, *hidden);
  const Node cell = rw.create_node(ops::LSTMCell{.hidden_size = w.hidden},
                                   {in.x, in.hidden, in.cell, w.weights, w.recurrence, w.bias});
  return Outputs{{}, cell.output(1), {}, {}, {}, {}, cell.output(0)};
}

/// Which steps of x TensorFlow BlockLSTM computes, the first seq_len_max ones: booleans [length, 1, 1].
Value computed_steps(Rewriter& rw, const Value& x, const Value& count) {
  const Value numbers = rw.create(ops::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0),
                                  dimension_of(rw, x, 0), rw.scalar<std::int64_t>(1));
  return rw.create(ops::Less{}, rw.create(ops::Reshape{}, numbers, rw.integers({-1, 1, 1})), count);
}

/// BlockLSTM whose states of the cell or gates are read: a TensorIterator over the steps, with the step in elementary
/// ops.
Outputs lstm_loop(const FrameworkNode& node, Rewriter& rw, const Lstm& lstm, const LstmInputs& in, const Value& count) {
  ops::TensorIterator loop;
  Graph& body = loop.body.graph();
  Rewriter inner(body);
  // The slice of x, both states, and what is the same in every step.
  const std::array<std::size_t, 8> ranks = {3, 2, 2, 2, 1, 1, 1, 1};
  const std::array<Value, 8> outer = {in.x,          in.cell,       in.hidden,     in.weights,
                                      in.peephole_i, in.peephole_f, in.peephole_o, in.bias};
  std::array<Value, 8> made;
  std::vector<Value> fed;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    if (i >= 4 && i <= 6 && !lstm.peephole) continue;
    const auto port = static_cast<std::int64_t>(fed.size());
    PartialShape shape = PartialShape::of_rank(ranks[i]);
    if (i == 0) shape[0] = 1;
    made[i] = body.create_parameter({type_of(in.x).element_type, std::move(shape)}).output();
    ops::InputMap map = whole_input(port, port);
    if (i == 0) map.axis = 0;
    loop.input_map.push_back(map);
    fed.push_back(outer[i]);
  }
  const LstmInputs step_inputs{
      without_axis(inner, made[0], 0), made[1], made[2], made[3], made[4], made[5], made[6], made[7]};
  const Outputs step = lstm_step(inner, lstm, step_inputs);
  // Results 0 and 1 are the states for the next step (x is Parameter 0), the others are put together.
  body.create_result(step[1]);
  body.create_result(step[6]);
  loop.back_edges = {{.result = 0, .parameter = 1}, {.result = 1, .parameter = 2}};
  std::vector<std::size_t> read;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (!node.output_used(i)) continue;
    ops::OutputMap map =
        last_output(static_cast<std::int64_t>(read.size()), static_cast<std::int64_t>(read.size() + 2));
    map.axis = 0;
    loop.output_map.push_back(map);
    body.create_result(inner.create(ops::Unsqueeze{}, step[i], inner.integers({0})));
    read.push_back(i);
  }
  if (inner.error()) rw.fail(*inner.error());
  const Node iterated = rw.create_node(std::move(loop), fed, read.size());
  Outputs all(step.size());
  // What follows the computed steps is zeros.
  const Value computed = computed_steps(rw, in.x, count);
  for (std::size_t k = 0; k < read.size(); ++k)
    all[read[k]] = rw.create(ops::Select{}, computed, iterated.output(k), number_like(rw, in.x, 0));
  return all;
}

/// BlockLSTM(seq_len_max, x [length, batch, input], …) -> LSTMSequence when only the states h are read, else a loop
Replacement block_lstm(const FrameworkNode& node, Rewriter& rw, const Lstm& defaults) {
  MO_TRY(node.expect_inputs(9));
  MO_ASSIGN(const Lstm lstm, read_lstm(node, defaults));
  const LstmInputs in = lstm_inputs(node, 1);
  const Value count = as_i64(rw, as_scalar(rw, node.input(0)));
  MO_ASSIGN(const auto hidden, hidden_size(node, in));
  if (!hidden || !lstm.is_plain() || !only_reads(node, {6})) return lstm_loop(node, rw, lstm, in, count);
  const IrWeights w = ir_weights(rw, lstm, in, *hidden);
  const auto with_axis = [&](const Value& v, std::int64_t axis) {
    return rw.create(ops::Unsqueeze{}, v, rw.integers({axis}));
  };
  const Value batch_first = rw.create(ops::Transpose{}, in.x, rw.integers({1, 0, 2}));
  const Value lengths = rw.create(ops::Broadcast{}, count, length_along(rw, in.x, 1));
  const Node sequence = rw.create_node(ops::LSTMSequence{.hidden_size = w.hidden},
                                       {batch_first, with_axis(in.hidden, 1), with_axis(in.cell, 1), lengths,
                                        with_axis(w.weights, 0), with_axis(w.recurrence, 0), with_axis(w.bias, 0)});
  const Value states = without_axis(rw, sequence.output(0), 1);
  return Outputs{{}, {}, {}, {}, {}, {}, rw.create(ops::Transpose{}, states, rw.integers({1, 0, 2}))};
}

// -- GRU --------------------------------------------------------------------------------------------------------------

/// Inputs of GRUBlockCell: x, h, w_ru [input + hidden, 2 * hidden], w_c [input + hidden, hidden], b_ru, b_c; it gives
/// r, u, c, h:
///   (r, u) = sigmoid([x, h] w_ru + b_ru), c = tanh([x, r * h] w_c + b_c), h' = (1 - u) * c + u * h
Outputs gru_step(Rewriter& rw, const FrameworkNode& node) {
  const Value x = node.input(0);
  const Value h = node.input(1);
  const auto product = [&](const Value& a, const Value& weights, const Value& bias) {
    return rw.create(ops::Add{}, rw.create(ops::MatMul{}, joined(rw, x, a), weights), bias);
  };
  const Value gates = rw.create(ops::Sigmoid{}, product(h, node.input(2), node.input(4)));
  const Node parts = rw.create_node(ops::Split{.num_splits = 2}, {gates, rw.scalar<std::int64_t>(-1)}, 2);
  const Value r = parts.output(0);
  const Value u = parts.output(1);
  const Value c = rw.create(ops::Tanh{}, product(rw.create(ops::Multiply{}, h, r), node.input(3), node.input(5)));
  const Value fresh = rw.create(ops::Multiply{}, rw.create(ops::Subtract{}, number_like(rw, u, 1), u), c);
  return {r, u, c, rw.create(ops::Add{}, fresh, rw.create(ops::Multiply{}, u, h))};
}

/// GRUBlockCell -> GRUCell when only the state is read and the weights tell its size, else elementary ops. The IR has
/// the gates in the order update, reset, cell.
Replacement gru_block_cell(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(6));
  const PartialShape& shape = node.input_type(3).shape;
  const bool known = shape.has_rank() && shape.size() == 2 && shape[1].is_known() && shape[1].value() >= 1;
  if (!known || !only_reads(node, {3})) return for_readers(node, gru_step(rw, node));
  const std::int64_t hidden = shape[1].value();
  const auto update_first = [&](const Value& both, std::int64_t axis) {
    const Node parts = rw.create_node(ops::Split{.num_splits = 2}, {both, rw.scalar<std::int64_t>(axis)}, 2);
    return std::pair(parts.output(1), parts.output(0));
  };
  const auto [update, reset] = update_first(node.input(2), 1);
  const auto [update_bias, reset_bias] = update_first(node.input(4), 0);
  const Value columns = rw.create(ops::Concat{.axis = 1}, {update, reset, node.input(3)});
  const Value rows = rw.create(ops::Transpose{}, columns, rw.integers({1, 0}));
  const Node split =
      rw.create_node(ops::VariadicSplit{}, {rows, rw.scalar<std::int64_t>(1), rw.integers({-1, hidden})}, 2);
  const Value bias = rw.create(ops::Concat{.axis = 0}, {update_bias, reset_bias, node.input(5)});
  const Value h = rw.create(ops::GRUCell{.hidden_size = hidden},
                            {node.input(0), node.input(1), split.output(0), split.output(1), bias});
  return Outputs{{}, {}, {}, h};
}

}  // namespace

void register_recurrent(OperatorTable& table) {
  table.translate("LSTMBlockCell", lstm_block_cell);
  table.translate("BlockLSTM", [](const FrameworkNode& node, Rewriter& rw) {
    return block_lstm(node, rw, {.gates = kInputCellForgetOutput, .forget_bias = 1, .cell_clip = 3});
  });
  // Version 2 has no forget_bias: it is part of the bias.
  table.translate("BlockLSTMV2", [](const FrameworkNode& node, Rewriter& rw) {
    return block_lstm(node, rw, {.gates = kInputForgetCellOutput});
  });
  table.translate("GRUBlockCell", gru_block_cell);
}

}  // namespace mo::tensorflow
