#include "ops/support/recurrent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"

namespace mo::onnx_emitter {
namespace {

using ops::reference::CellKind;

/// Blocks of `hidden_size` rows of W, R or B, by their places in the IR.
using GateOrder = std::vector<std::int64_t>;
constexpr std::int64_t kZeroBlock = -1;

/// The operator for a cell, and the rows that it takes.
struct RecurrentOperator {
  const char* type;
  GateOrder weights;
  GateOrder bias;  ///< Wb, then Rb; the IR has their sum
};

RecurrentOperator recurrent_operator(const ops::RecurrentOp& op) {
  if (op.kind == CellKind::rnn) return {"RNN", {0}, {0, kZeroBlock}};
  // Both have the gates z, r, h. With linear_before_reset the IR has Rb of h as a fourth block.
  if (op.kind == CellKind::gru)
    return {"GRU", {0, 1, 2}, {0, 1, 2, kZeroBlock, kZeroBlock, op.linear_before_reset ? 3 : kZeroBlock}};
  const std::string_view given = names_of(op.weights_format)[static_cast<std::size_t>(op.weights_format)];
  GateOrder gates;
  for (const char gate : std::string_view("iofc")) gates.push_back(static_cast<std::int64_t>(given.find(gate)));
  GateOrder bias = gates;
  bias.resize(8, kZeroBlock);
  return {"LSTM", std::move(gates), std::move(bias)};
}

bool is_order_of_ir(const GateOrder& order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

/// The blocks of rows of [directions, rows, ...] in another order.
Expected<Tensor> reordered_blocks(const Tensor& given, std::int64_t hidden, const GateOrder& order) {
  MO_ASSIGN(const Tensor from, given.load());
  Shape shape = from.shape();
  const auto directions = static_cast<std::size_t>(shape[0]);
  const auto blocks = static_cast<std::size_t>(shape[1] / hidden);
  shape[1] = static_cast<std::int64_t>(order.size()) * hidden;
  MO_ASSIGN(Tensor to, Tensor::allocate(from.element_type(), shape));
  if (from.byte_size() == 0) return to;
  const std::size_t bytes = static_cast<std::size_t>(from.byte_size()) / (directions * blocks);
  std::byte* at = to.mutable_bytes().data();
  for (std::size_t direction = 0; direction < directions; ++direction)
    for (const std::int64_t block : order) {
      if (block != kZeroBlock)
        std::memcpy(at, from.bytes().data() + (direction * blocks + static_cast<std::size_t>(block)) * bytes, bytes);
      at += bytes;
    }
  return to;
}

/// Input `i`, which is W, R or B, as [directions, rows, ...] with the rows of ONNX; a cell has no dimension of
/// directions. Constants are reordered here, because some runtimes take no computed weights.
Expected<Value> gate_rows(Translation& t, const ops::RecurrentOp& op, std::size_t i, const GateOrder& order) {
  if (op.sequence && is_order_of_ir(order)) return t.input(i);
  if (const auto* const constant = t.node.input(i).node().as<Const>()) {
    Tensor tensor = constant->value;
    if (!op.sequence) {
      Shape shape = tensor.shape();
      shape.insert(shape.begin(), 1);
      tensor = tensor.reshaped(std::move(shape));
    }
    if (!is_order_of_ir(order)) { MO_ASSIGN(tensor, reordered_blocks(tensor, op.hidden_size, order)); }
    return t.constant(std::move(tensor));
  }
  const Value rows = op.sequence ? t.input(i) : t.with_axes("Unsqueeze", t.input(i), {0});
  if (is_order_of_ir(order)) return rows;
  const bool is_bidirectional = op.direction == ops::RecurrentDirection::bidirectional;
  Value zeros;
  if (std::find(order.begin(), order.end(), kZeroBlock) != order.end()) {
    const Shape shape{is_bidirectional ? 2 : 1, op.hidden_size};
    MO_ASSIGN(Tensor tensor, Tensor::allocate(t.node.output_type().element_type, shape));
    zeros = t.constant(std::move(tensor));
  }
  std::vector<Value> blocks;
  for (const std::int64_t block : order)
    blocks.push_back(block == kZeroBlock
                         ? zeros
                         : t.op("Slice", {rows, t.integers({block * op.hidden_size}),
                                          t.integers({(block + 1) * op.hidden_size}), t.integers({1})}));
  return t.op("Concat", std::move(blocks), {{"axis", 1}});
}

/// The lengths as i32; none when each sequence is as long as the data.
Value sequence_lengths(Translation& t, std::size_t i) {
  const Value given = t.node.input(i);
  const PartialShape& data = t.node.input_type(0).shape;
  const auto lengths = integers_of(given);
  if (lengths && data.size() == 3 && data[1].is_known() &&
      std::all_of(lengths->begin(), lengths->end(), [&](std::int64_t length) { return length == data[1].value(); }))
    return {};
  if (given.type().element_type == ElementType::i32) return t.input(i);
  if (const auto* const constant = given.node().as<Const>())
    if (auto converted = convert(constant->value, ElementType::i32)) return t.constant(*std::move(converted));
  return t.cast(t.input(i), ElementType::i32);
}

/// How ONNX calls a function, and which parameters it has.
struct ActivationForm {
  const char* name;
  bool has_alpha = false;
  bool has_beta = false;
};

ActivationForm activation_form(ops::reference::Activation::Kind kind) {
  using Kind = ops::reference::Activation::Kind;
  switch (kind) {
    case Kind::sigmoid: return {"Sigmoid"};
    case Kind::tanh: return {"Tanh"};
    case Kind::relu: return {"Relu"};
    case Kind::hard_sigmoid: return {"HardSigmoid", true, true};
    case Kind::scaled_tanh: return {"ScaledTanh", true, true};
    case Kind::leaky_relu: return {"LeakyRelu", true};
    case Kind::thresholded_relu: return {"ThresholdedRelu", true};
    case Kind::affine: return {"Affine", true, true};
    case Kind::elu: return {"Elu", true};
    case Kind::soft_sign: return {"Softsign"};
    case Kind::soft_plus: break;
  }
  return {"Softplus"};
}

/// Sets the functions of each direction unless they are the defaults. The lists of parameters have entries for those
/// functions only that take one.
Expected<void> set_activations(const Translation& t, const ops::RecurrentOp& op, std::size_t directions,
                               AttributeMap& attributes) {
  const std::size_t count = op.kind == CellKind::rnn ? 1 : op.kind == CellKind::gru ? 2 : 3;
  if (op.activations.size() < count) return t.refused("an activation is missing");
  std::vector<std::string> names;
  std::vector<double> alphas;
  std::vector<double> betas;
  bool are_defaults = true;
  for (std::size_t direction = 0; direction < directions; ++direction)
    for (std::size_t i = 0; i < count; ++i) {
      const auto function = ops::reference::Activation::named(op.activations[i]);
      if (!function) return t.refused(fmt::format("the activation {}", op.activations[i]));
      const ActivationForm form = activation_form(function->kind);
      if (form.has_alpha) alphas.push_back(i < op.alphas.size() ? op.alphas[i] : function->alpha);
      if (form.has_beta) betas.push_back(i < op.betas.size() ? op.betas[i] : function->beta);
      const bool is_gate = i == 0 && op.kind != CellKind::rnn;
      are_defaults = are_defaults && std::string_view(form.name) == (is_gate ? "Sigmoid" : "Tanh");
      names.emplace_back(form.name);
    }
  if (are_defaults) return {};
  attributes.set("activations", std::move(names));
  if (!alphas.empty()) attributes.set("activation_alpha", std::move(alphas));
  if (!betas.empty()) attributes.set("activation_beta", std::move(betas));
  return {};
}

Expected<AttributeMap> recurrent_attributes(const Translation& t, const ops::RecurrentOp& op) {
  AttributeMap attributes{{"hidden_size", op.hidden_size}};
  if (op.direction != ops::RecurrentDirection::forward)
    attributes.set("direction", names_of(op.direction)[static_cast<std::size_t>(op.direction)]);
  const bool is_bidirectional = op.direction == ops::RecurrentDirection::bidirectional;
  MO_TRY(set_activations(t, op, is_bidirectional ? 2 : 1, attributes));
  if (op.clip > 0) attributes.set("clip", op.clip);
  if (op.linear_before_reset) attributes.set("linear_before_reset", 1);
  return attributes;
}

/// Inputs of the IR: x, h, c of an LSTM, lengths of a sequence, W, R, B, P. ONNX: X, W, R, B, lengths, h, c, P, with
/// the time first in X [length, batch, input] and Y [length, directions, batch, hidden], and states [directions, batch,
/// hidden]. The IR has the batch first, and Y [batch, directions, length, hidden]. A cell is a sequence of one step.
Expected<Outputs> recurrent_layer(Translation& t, const ops::RecurrentOp& op) {
  const bool is_lstm = op.kind == CellKind::lstm;
  const std::size_t lengths = is_lstm ? 3 : 2;
  const std::size_t weights = lengths + (op.sequence ? 1 : 0);
  const std::size_t bias = weights + 2;
  const std::size_t peepholes = weights + 3;
  if (op.input_forget) return t.refused("an input gate that follows from the forget gate");
  if (op.peepholes && t.input(peepholes)) {
    const auto known = reals_of(t.node.input(peepholes), std::int64_t{1} << 24);
    if (!known || std::any_of(known->begin(), known->end(), [](double p) { return p != 0; }))
      return t.refused("peephole weights");
  }
  const RecurrentOperator made = recurrent_operator(op);
  MO_ASSIGN(AttributeMap attributes, recurrent_attributes(t, op));
  const auto time_first = [&](std::size_t i) {
    return op.sequence ? t.transposed(t.input(i), {1, 0, 2}) : t.with_axes("Unsqueeze", t.input(i), {0});
  };
  std::vector<Value> inputs{time_first(0)};
  for (const std::size_t i : {weights, weights + 1}) {
    MO_ASSIGN(const Value rows, gate_rows(t, op, i, made.weights));
    inputs.push_back(rows);
  }
  Value biases;
  if (t.input(bias)) { MO_ASSIGN(biases, gate_rows(t, op, bias, made.bias)); }
  inputs.push_back(biases);
  inputs.push_back(op.sequence ? sequence_lengths(t, lengths) : Value());
  inputs.push_back(time_first(1));
  if (is_lstm) inputs.push_back(time_first(2));
  const Outputs states = t.ops(made.type, std::move(inputs), is_lstm ? 3 : 2, std::move(attributes));

  Outputs outputs(t.node.out_port_count());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (t.node.out_port(i).disconnected()) continue;
    if (!op.sequence)
      outputs[i] = t.with_axes("Squeeze", states[i + 1], {0});
    else
      outputs[i] = i == 0 ? t.transposed(states[0], {2, 1, 0, 3}) : t.transposed(states[i], {1, 0, 2});
  }
  return outputs;
}

template <class Op>
void add_recurrent(OnnxForms& table, CellKind kind) {
  table.add<Op>([kind](Translation& t) { return recurrent_layer(t, ops::recurrent_op(*t.node.as<Op>(), kind)); });
}

}  // namespace

void register_recurrent(OnnxForms& table) {
  add_recurrent<ops::v0::LSTMSequence>(table, CellKind::lstm);
  add_recurrent<ops::v5::LSTMSequence>(table, CellKind::lstm);
  add_recurrent<ops::GRUSequence>(table, CellKind::gru);
  add_recurrent<ops::RNNSequence>(table, CellKind::rnn);
  add_recurrent<ops::v0::LSTMCell>(table, CellKind::lstm);
  add_recurrent<ops::v4::LSTMCell>(table, CellKind::lstm);
  add_recurrent<ops::GRUCell>(table, CellKind::gru);
  add_recurrent<ops::RNNCell>(table, CellKind::rnn);
}

}  // namespace mo::onnx_emitter
