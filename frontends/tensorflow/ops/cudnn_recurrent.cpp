#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reshape.hpp"
#include "ops/split.hpp"
#include "ops/transpose.hpp"

namespace mo::tensorflow {
namespace {

using Integers = std::vector<std::int64_t>;

enum class CellKind { lstm, gru, rnn };

/// What the attributes and inputs of CudnnRNN say.
struct CudnnNetwork {
  CellKind kind = CellKind::lstm;
  std::string activation = "tanh";  ///< of a plain cell
  std::int64_t hidden = 0;
  std::int64_t input = 0;
  std::int64_t layers = 0;
  std::int64_t directions = 1;
  bool time_major = true;

  std::int64_t gates() const { return kind == CellKind::lstm ? 4 : kind == CellKind::gru ? 3 : 1; }
  std::int64_t input_of(std::int64_t layer) const { return layer == 0 ? input : directions * hidden; }
};

/// Error MO-TF-0662 for what an IR cannot express, MO-TF-0663 for sizes that are not known or do not fit each other.
Expected<CudnnNetwork> read_network(const FrameworkNode& node) {
  node.ignore({"seed", "seed2"}, "of dropout in training, which is refused");
  node.ignore({"S", "T"}, "types of the inputs");
  CudnnNetwork made;
  const std::string mode = node.attr("rnn_mode", "lstm");
  made.kind = mode == "lstm" ? CellKind::lstm : mode == "gru" ? CellKind::gru : CellKind::rnn;
  if (mode == "rnn_relu") made.activation = "relu";
  if (made.kind == CellKind::rnn && mode != "rnn_relu" && mode != "rnn_tanh")
    return node.error("MO-TF-0662", "rnn_mode is {}", mode).hint("it is one of lstm, gru, rnn_relu, rnn_tanh");
  const std::string direction = node.attr("direction", "unidirectional");
  made.directions = direction == "bidirectional" ? 2 : 1;
  if (direction != "bidirectional" && direction != "unidirectional")
    return node.error("MO-TF-0662", "direction is {}", direction).hint("it is unidirectional or bidirectional");
  const double dropout = node.attr("dropout", 0.0);
  if (node.attr("is_training", true) && dropout > 0)
    return node.error("MO-TF-0662", "dropout is {} while training", dropout).hint("export the model for inference");
  if (node.attr<std::int64_t>("num_proj", 0) != 0)
    return node
        .error("MO-TF-0662", "the state is projected to num_proj = {} values", node.attr<std::int64_t>("num_proj", 0))
        .hint("sequences of an IR have no projection; cut the model around the op with --input and --output");
  made.time_major = node.attr("time_major", true);

  const auto size = [&](std::size_t i, std::size_t axis) {
    const PartialShape& shape = node.input_type(i).shape;
    return shape.has_rank() && shape.size() == 3 && shape[axis].is_known() ? shape[axis].value() : 0;
  };
  constexpr std::int64_t kMost = 1 << 24;
  made.input = size(0, 2);
  made.hidden = size(1, 2);
  const std::int64_t states = size(1, made.time_major ? 0 : 1);
  made.layers = states / made.directions;
  if (made.input < 1 || made.hidden < 1 || states < 1 || states % made.directions != 0 || made.input > kMost ||
      made.hidden > kMost || states > kMost)
    return node
        .error("MO-TF-0663", "input {} and input_h {} do not define the sizes of each step, state and layer",
               node.input_type(0).shape.to_string(), node.input_type(1).shape.to_string())
        .hint(
            "give their shapes with --input and --input_shape: [length, batch, input] and [layers * directions, batch, "
            "state]");
  const std::string input_mode = node.attr("input_mode", "linear_input");
  if (input_mode == "skip_input" || (input_mode == "auto_select" && made.input == made.hidden))
    return node.error("MO-TF-0662", "input_mode is {}: the first layer has no weights for its input", input_mode)
        .hint("sequences of an IR have them; export with linear_input");
  return made;
}

/// The packed parameters: for each layer and direction the weights of all gates for the input, then those for the
/// state; then for each of them the biases, which there are twice as well. Error MO-TF-0663 when there are more or less
/// of them.
Expected<std::vector<Value>> unpacked(const FrameworkNode& node, Rewriter& rw, const CudnnNetwork& network) {
  const std::int64_t rows = network.gates() * network.hidden;
  Integers lengths;
  for (std::int64_t layer = 0; layer < network.layers; ++layer)
    for (std::int64_t i = 0; i < network.directions; ++i)
      lengths.insert(lengths.end(), {rows * network.input_of(layer), rows * network.hidden});
  lengths.insert(lengths.end(), static_cast<std::size_t>(2 * network.layers * network.directions), rows);
  std::int64_t all = 0;
  for (const std::int64_t length : lengths) all += length;
  const auto count = node.input_type(3).shape.element_count();
  if (count && *count != all)
    return node
        .error("MO-TF-0663", "params has {} values, {} layers of {} for {} inputs have {}", *count, network.layers,
               network.hidden, network.input, all)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const Value flat = rw.create(ops::Reshape{}, node.input(3), rw.integers({-1}));
  const Node parts =
      rw.create_node(ops::VariadicSplit{}, {flat, rw.scalar<std::int64_t>(0), rw.integers(lengths)}, lengths.size());
  std::vector<Value> made;
  for (std::size_t i = 0; i < lengths.size(); ++i) made.push_back(parts.output(i));
  return made;
}

/// Weights, recurrences and biases of one layer as a sequence of the IR has them: [directions, rows, columns] and
/// [directions, rows], the gates in its order.
struct LayerWeights {
  Value weights;
  Value recurrence;
  Value bias;
};

LayerWeights weights_of(Rewriter& rw, const CudnnNetwork& network, const std::vector<Value>& parts,
                        std::int64_t layer) {
  // cuDNN has LSTM gates as i, f, c, o and GRU gates as r, z, h; the IR as f, i, c, o and z, r, h.
  const Integers order = network.kind == CellKind::lstm  ? Integers{1, 0, 2, 3}
                         : network.kind == CellKind::gru ? Integers{1, 0, 2}
                                                         : Integers{0};
  const std::int64_t hidden = network.hidden;
  const std::int64_t rows = network.gates() * hidden;
  const auto at = [&](std::int64_t place) { return parts[static_cast<std::size_t>(place)]; };
  const auto moved = [&](const Value& part, std::int64_t columns) {
    const Value blocks = rw.create(ops::Reshape{}, part, rw.integers({network.gates(), hidden * columns}));
    return rw.create(ops::Gather{}, blocks, rw.integers(order), rw.scalar<std::int64_t>(0));
  };
  const std::int64_t biases = 2 * network.layers * network.directions;
  std::vector<Value> weights;
  std::vector<Value> recurrences;
  std::vector<Value> bias;
  for (std::int64_t i = 0; i < network.directions; ++i) {
    const std::int64_t place = 2 * (layer * network.directions + i);
    const std::int64_t columns = network.input_of(layer);
    weights.push_back(rw.create(ops::Reshape{}, moved(at(place), columns), rw.integers({1, rows, columns})));
    recurrences.push_back(rw.create(ops::Reshape{}, moved(at(place + 1), hidden), rw.integers({1, rows, hidden})));
    const Value of_input = moved(at(biases + place), 1);
    const Value of_state = moved(at(biases + place + 1), 1);
    const Value sum = rw.create(ops::Add{}, of_input, of_state);
    if (network.kind != CellKind::gru) {
      bias.push_back(rw.create(ops::Reshape{}, sum, rw.integers({1, rows})));
      continue;
    }
    // Those of the candidate stay apart: that of the state is inside of the product with the reset gate.
    const Value gates = slice_along(rw, sum, 0, 0, 2);
    const Value apart = rw.create(ops::Concat{.axis = 0},
                                  {gates, slice_along(rw, of_input, 0, 2, 3), slice_along(rw, of_state, 0, 2, 3)});
    bias.push_back(rw.create(ops::Reshape{}, apart, rw.integers({1, rows + hidden})));
  }
  const auto together = [&](const std::vector<Value>& list) {
    return list.size() == 1 ? list[0] : rw.create(ops::Concat{.axis = 0}, list);
  };
  return {together(weights), together(recurrences), together(bias)};
}

/// The sequence of one layer.
Node sequence(Rewriter& rw, const CudnnNetwork& network, const std::vector<Value>& inputs) {
  const auto direction =
      network.directions == 2 ? ops::RecurrentDirection::bidirectional : ops::RecurrentDirection::forward;
  if (network.kind == CellKind::lstm)
    return rw.create_node(ops::LSTMSequence{.hidden_size = network.hidden, .direction = direction}, inputs);
  if (network.kind == CellKind::gru)
    return rw.create_node(
        ops::GRUSequence{.hidden_size = network.hidden, .direction = direction, .linear_before_reset = true}, inputs);
  return rw.create_node(
      ops::RNNSequence{.hidden_size = network.hidden, .direction = direction, .activations = {network.activation}},
      inputs);
}

/// CudnnRNN(input, input_h, input_c, params[, sequence_lengths]) -> output, output_h, output_c. Layers on top of each
/// other, each a sequence of the IR. What only training reads (reserve_space, host_reserved) has no value.
Replacement cudnn_rnn(const FrameworkNode& node, Rewriter& rw, bool with_lengths) {
  MO_TRY(node.expect_inputs(with_lengths ? 5 : 4));
  MO_ASSIGN(const CudnnNetwork network, read_network(node));
  MO_ASSIGN(const std::vector<Value> parts, unpacked(node, rw, network));
  const bool lstm = network.kind == CellKind::lstm;
  for (std::size_t i = lstm ? 3 : 2; i < node.output_count(); ++i)
    if (node.output_used(i))
      return node.error("MO-TF-0662", "output {} is read, which only training needs", i)
          .hint("cut the model so that only inference is left");

  const auto swapped = [&](const Value& x) {
    return network.time_major ? rw.create(ops::Transpose{}, x, rw.integers({1, 0, 2})) : x;
  };
  Value x = swapped(node.input(0));
  const Value hidden = swapped(node.input(1));
  node.ignore_input(2, "the state of LSTM cells, which other cells do not have");
  const Value cell = lstm ? swapped(node.input(2)) : Value();
  const Value lengths =
      with_lengths ? node.input(4) : rw.create(ops::Broadcast{}, length_along(rw, x, 1), length_along(rw, x, 0));
  std::vector<Value> last;
  std::vector<Value> last_cells;
  for (std::int64_t layer = 0; layer < network.layers; ++layer) {
    const std::int64_t first = layer * network.directions;
    const auto own = [&](const Value& states) { return slice_along(rw, states, 1, first, first + network.directions); };
    const LayerWeights w = weights_of(rw, network, parts, layer);
    std::vector<Value> inputs = {x, own(hidden)};
    if (lstm) inputs.push_back(own(cell));
    inputs.insert(inputs.end(), {lengths, w.weights, w.recurrence, w.bias});
    const Node made = sequence(rw, network, inputs);
    // [batch, directions, length, hidden] -> [batch, length, directions * hidden]
    const Value by_step = rw.create(ops::Transpose{}, made.output(0), rw.integers({0, 2, 1, 3}));
    x = rw.create(ops::Reshape{.special_zero = true}, by_step,
                  rw.integers({0, 0, network.directions * network.hidden}));
    last.push_back(made.output(1));
    if (lstm) last_cells.push_back(made.output(2));
  }
  const auto together = [&](const std::vector<Value>& list) {
    return swapped(list.size() == 1 ? list[0] : rw.create(ops::Concat{.axis = 1}, list));
  };
  Outputs all(node.output_count());
  const auto give = [&](std::size_t i, const auto& made) {
    if (i < all.size() && node.output_used(i)) all[i] = made();
  };
  give(0, [&] { return swapped(x); });
  give(1, [&] { return together(last); });
  if (lstm) give(2, [&] { return together(last_cells); });
  return all;
}

}  // namespace

void register_cudnn_recurrent(OperatorTable& table) {
  table.translate(
      "CudnnRNN", [](const FrameworkNode& node, Rewriter& rw) { return cudnn_rnn(node, rw, false); }, outputs(4));
  table.translate(
      "CudnnRNNV2", [](const FrameworkNode& node, Rewriter& rw) { return cudnn_rnn(node, rw, false); }, outputs(5));
  table.translate(
      "CudnnRNNV3", [](const FrameworkNode& node, Rewriter& rw) { return cudnn_rnn(node, rw, true); }, outputs(5));
}

}  // namespace mo::tensorflow
