#include <algorithm>
#include <array>
#include <optional>

#include "frontends/caffe/ops/support/layer_checks.hpp"
#include "frontends/caffe/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/scan.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/reshape.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::caffe {
namespace {

/// What kind of layer it is. Blobs: weights of x and their bias, weights of the fixed input if there is one, then the
/// layer's own.
struct RecurrentKind {
  std::int64_t gates;
  std::size_t states;
  std::size_t own_blobs;
};
constexpr RecurrentKind kLSTM{4, 2, 1};  // own: weights of the state
constexpr RecurrentKind kRNN{1, 1, 3};   // own: weights of the state; weights and bias of the result

/// Caffe RecurrentLayer. Bottoms: x [T, N, …], whether each sequence goes on [T, N], perhaps a fixed input [N, …], and
/// with expose_hidden the first states [1, N, num_output]. Tops: the results of all steps, and with expose_hidden the
/// last states. In every step the states are first multiplied by cont, which is 0 where a sequence begins. The fixed
/// input stands beside x in every step.
class RecurrentLayer {
 public:
  static Expected<RecurrentLayer> make(const Layer& layer, Rewriter& rw, const RecurrentKind& kind) {
    layer.node().ignore({"recurrent_param.debug_info"}, "for debuggers");
    RecurrentLayer made(layer, rw, kind);
    made.exposed_ = layer.flag("recurrent_param.expose_hidden", false);
    const std::size_t least = 2 + (made.exposed_ ? kind.states : 0);
    MO_TRY(expect_bottoms(layer, least, least + 1));
    made.has_fixed_ = layer.bottoms() > least;
    MO_TRY(expect_blobs(layer, 2 + (made.has_fixed_ ? 1 : 0) + kind.own_blobs));
    MO_ASSIGN(made.size_, integer_in(layer, "recurrent_param.num_output", 0, 1, kLargestSize));
    const std::size_t most_tops = made.exposed_ ? 1 + kind.states : 1;
    if (layer.node().output_count() > most_tops)
      return layer.error("MO-CAFFE-0220", "the layer has {} tops", layer.node().output_count())
          .hint("it gives {}; states are tops only with expose_hidden", most_tops);
    const std::int64_t rows = kind.gates * made.size_;
    MO_TRY(made.expect_size(0, rows));
    MO_TRY(made.expect_size(1, rows, 1));
    if (made.has_fixed_) MO_TRY(made.expect_size(2, rows));
    MO_TRY(made.expect_size(made.first_own_blob(), rows, made.size_));
    return made;
  }

  /// Error MO-CAFFE-0221 unless blob `i` has as many elements as `rows * columns`; without columns, a multiple of the
  /// rows.
  Expected<void> expect_size(std::size_t i, std::int64_t rows, std::int64_t columns = 0) const {
    const auto count = type_of(blob(i)).shape.element_count();
    if (!count || (columns > 0 ? *count == rows * columns : *count > 0 && *count % rows == 0)) return {};
    return layer_->error("MO-CAFFE-0221", "blob {} has {} elements", i, *count)
        .hint("{} with num_output {}; the prototxt and the caffemodel belong together",
              columns > 0 ? fmt::format("it has {}", rows * columns) : fmt::format("they are a multiple of {}", rows),
              size_);
  }

  std::int64_t size() const { return size_; }
  /// Blobs in Caffe's order.
  Value blob(std::size_t i) const { return layer_->blob(i); }
  std::size_t first_own_blob() const { return has_fixed_ ? 3 : 2; }
  bool exposed() const { return exposed_; }

  /// W [gates * size, elements of x and of the fixed input], with the gates in `order`.
  Value input_weights(const std::vector<std::int64_t>& order) {
    const Value own = reordered(blob(0), order, true);
    return has_fixed_ ? rw_->create(ops::Concat{.axis = 1}, own, reordered(blob(2), order, true)) : own;
  }
  /// Blocks of `size` rows in another order: [gates * size, columns], or [gates * size] for a vector.
  Value reordered(const Value& blob, const std::vector<std::int64_t>& order, bool is_matrix) {
    std::vector<std::int64_t> together = {kind_.gates * size_};
    if (is_matrix) together.push_back(-1);
    if (std::is_sorted(order.begin(), order.end())) return rw_->create(ops::Reshape{}, blob, rw_->integers(together));
    const Value blocks = rw_->create(ops::Reshape{}, blob, rw_->integers({kind_.gates, size_, -1}));
    const Value moved = rw_->create(ops::Gather{}, blocks, rw_->integers(order), rw_->scalar<std::int64_t>(0));
    return rw_->create(ops::Reshape{}, moved, rw_->integers(together));
  }

  /// A TensorIterator over the steps with `cell` (weights W, R and B as inputs) inside: all states h [T, N, size], then
  /// the last states.
  Outputs iterate(const Op& cell, const std::array<Value, 3>& weights);

 private:
  /// Whether no state meets a cont other than 1. States of zeros, which only layers without expose_hidden start with,
  /// don't mind the first.
  bool always_goes_on() const {
    const auto numbers = reals_of(layer_->bottom(1));
    const auto& shape = type_of(layer_->bottom(1)).shape;
    if (!numbers || !shape.has_rank() || shape.size() < 1 || !shape[0].is_known() || shape[0].value() < 1) return false;
    const std::size_t skipped = exposed_ ? 0 : numbers->size() / static_cast<std::size_t>(shape[0].value());
    return std::all_of(numbers->begin() + static_cast<std::ptrdiff_t>(skipped), numbers->end(),
                       [](double number) { return number == 1; });
  }
  /// First state `i` [N, size].
  Value first_state(std::size_t i) {
    if (exposed_) return without_axis(*rw_, layer_->bottom(2 + (has_fixed_ ? 1 : 0) + i), 0);
    const Value x = layer_->bottom(0);
    return rw_->create(ops::Broadcast{}, number_like(*rw_, x, 0),
                       join(*rw_, {length_along(*rw_, x, 1), rw_->integers({size_})}));
  }

  RecurrentLayer(const Layer& layer, Rewriter& rw, const RecurrentKind& kind) : layer_(&layer), rw_(&rw), kind_(kind) {}

  const Layer* layer_;
  Rewriter* rw_;
  RecurrentKind kind_;
  std::int64_t size_ = 1;
  bool exposed_ = false;
  bool has_fixed_ = false;
};

/// What enters the body: a port of the iterator and a Parameter, in step.
struct LoopBuilder {
  ops::TensorIterator loop;
  std::vector<Value> fed;

  Value add(const Value& outside, PartialShape shape, std::optional<std::int64_t> axis) {
    const auto port = static_cast<std::int64_t>(fed.size());
    fed.push_back(outside);
    ops::InputMap map = whole_input(port, port);
    map.axis = axis;
    loop.input_map.push_back(map);
    return loop.body.graph().create_parameter({type_of(outside).element_type, std::move(shape)}).output();
  }
};

Outputs RecurrentLayer::iterate(const Op& cell, const std::array<Value, 3>& weights) {
  LoopBuilder builder;
  Graph& body = builder.loop.body.graph();
  Rewriter inner(body);
  const auto sliced = [](std::size_t rank) {
    PartialShape shape = PartialShape::of_rank(rank);
    shape[0] = 1;
    return shape;
  };
  const Value rows = rw_->create(ops::Reshape{.special_zero = true}, layer_->bottom(0), rw_->integers({0, 0, -1}));
  Value x = without_axis(inner, builder.add(rows, sliced(3), 0), 0);
  if (has_fixed_) {
    const Value fixed = rw_->create(ops::Reshape{.special_zero = true}, layer_->bottom(2), rw_->integers({0, -1}));
    x = inner.create(ops::Concat{.axis = 1}, x, builder.add(fixed, PartialShape::of_rank(2), std::nullopt));
  }
  Value goes_on;
  if (!always_goes_on()) {
    const Value cont = rw_->create(ops::Reshape{.special_zero = true}, layer_->bottom(1), rw_->integers({0, -1, 1}));
    goes_on = without_axis(inner, builder.add(cont, sliced(3), 0), 0);
  }
  std::vector<Value> inputs = {x};
  for (std::size_t i = 0; i < kind_.states; ++i) {
    builder.loop.back_edges.push_back(
        {.result = static_cast<std::int64_t>(i), .parameter = static_cast<std::int64_t>(builder.fed.size())});
    const Value state = builder.add(first_state(i), PartialShape::of_rank(2), std::nullopt);
    inputs.push_back(goes_on ? inner.create(ops::Multiply{}, state, goes_on) : state);
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
    inputs.push_back(builder.add(weights[i], PartialShape::of_rank(i + 1 < weights.size() ? 2 : 1), std::nullopt));
  const Node step = inner.create_node(cell.clone(), inputs);
  for (std::size_t i = 0; i < kind_.states; ++i) {
    body.create_result(step.output(i));
    builder.loop.output_map.push_back(last_output(static_cast<std::int64_t>(i + 1), static_cast<std::int64_t>(i)));
  }
  ops::OutputMap all = last_output(0, static_cast<std::int64_t>(kind_.states));
  all.axis = 0;
  builder.loop.output_map.push_back(all);
  body.create_result(inner.create(ops::Unsqueeze{}, step.output(0), inner.integers({0})));
  if (inner.error()) rw_->fail(*inner.error());
  const Node iterated = rw_->create_node(std::move(builder.loop), builder.fed, kind_.states + 1);
  Outputs outputs = {iterated.output(0)};
  for (std::size_t i = 1; i < layer_->node().output_count() && i <= kind_.states; ++i)
    outputs.push_back(rw_->create(ops::Unsqueeze{}, iterated.output(i), rw_->integers({0})));
  return outputs;
}

/// Caffe keeps the last states for the next call of the network; the IR starts each call with zeros, as Caffe starts
/// the first one.
void warn_of_lost_states(const FrameworkNode& node) {
  node.warn(
      node.node()
          .warning("MO-CAFFE-0222", "each inference starts with states of zeros, Caffe continues with the last ones")
          .hint("nothing is lost when `cont` is 0 in the first step; else export the model with expose_hidden"));
}

/// c' = f * (cont * c) + i * g, h' = o * tanh(c'); Caffe LSTMUnitLayer has the gates in the order i, f, o, g, the IR's
/// cell f, i, g, o.
Replacement lstm(const FrameworkNode& node, Rewriter& rw) {
  const Layer view(node);
  MO_ASSIGN(RecurrentLayer layer, RecurrentLayer::make(view, rw, kLSTM));
  if (!layer.exposed()) warn_of_lost_states(node);
  const std::vector<std::int64_t> order = {1, 0, 3, 2};
  return layer.iterate(ops::LSTMCell{.hidden_size = layer.size()},
                       {layer.input_weights(order), layer.reordered(layer.blob(layer.first_own_blob()), order, true),
                        layer.reordered(layer.blob(1), order, false)});
}

/// h' = tanh(W x + R (cont * h) + b), and as the result of each step tanh(V h' + d).
Replacement rnn(const FrameworkNode& node, Rewriter& rw) {
  const Layer view(node);
  MO_ASSIGN(RecurrentLayer layer, RecurrentLayer::make(view, rw, kRNN));
  const std::int64_t size = layer.size();
  const std::size_t own = layer.first_own_blob();
  MO_TRY(layer.expect_size(own + 1, size, size));
  MO_TRY(layer.expect_size(own + 2, size, 1));
  if (!layer.exposed()) warn_of_lost_states(node);
  Outputs outputs = layer.iterate(ops::RNNCell{.hidden_size = size},
                                  {layer.input_weights({0}), layer.reordered(layer.blob(own), {0}, true),
                                   layer.reordered(layer.blob(1), {0}, false)});
  const Value weights = rw.create(ops::Reshape{}, layer.blob(own + 1), rw.integers({size, size}));
  const Value bias = rw.create(ops::Reshape{}, layer.blob(own + 2), rw.integers({size}));
  const Value product = rw.create(ops::MatMul{.transpose_b = true}, outputs[0], weights);
  outputs[0] = rw.create(ops::Tanh{}, rw.create(ops::Add{}, product, bias));
  return outputs;
}

}  // namespace

void register_recurrent(OperatorTable& table) {
  table.translate("LSTM", lstm);
  table.translate("RNN", rnn);
}

}  // namespace mo::caffe
