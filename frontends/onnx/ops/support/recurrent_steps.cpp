#include "frontends/onnx/ops/support/recurrent_steps.hpp"

#include <optional>
#include <tuple>

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/build/scan.hpp"
#include "ops/build/term.hpp"
#include "ops/mat_mul.hpp"
#include "ops/split.hpp"
#include "ops/tensor_iterator.hpp"

namespace mo::onnx {
namespace {

std::int64_t gate_count(CellKind kind) { return kind == CellKind::lstm ? 4 : kind == CellKind::gru ? 3 : 1; }

/// x · weightsᵀ
Value product_with(Rewriter& rw, const Value& x, const Value& weights) {
  return rw.create(ops::MatMul{.transpose_b = true}, x, weights);
}

/// f(clip(x)), as ONNX's recurrent ops define f.
Term cell_activation(const CellFunction& function, double clip, Term x) {
  Rewriter& rw = x.rewriter();
  if (clip > 0) x = x.apply(ops::Clamp{.min = -clip, .max = clip});
  if (function.name == "sigmoid") return x.apply(ops::Sigmoid{});
  if (function.name == "tanh") return x.apply(ops::Tanh{});
  if (function.name == "relu") return x.apply(ops::ReLU{});
  if (function.name == "softplus") return x.apply(ops::SoftPlus{});
  if (function.name == "elu") return x.apply(ops::Elu{.alpha = function.alpha});
  if (function.name == "softsign") return x / (absolute(x) + 1);
  if (function.name == "affine") return x * function.alpha + function.beta;
  if (function.name == "leakyrelu") return x.apply(ops::PReLU{}, x.number(function.alpha));
  if (function.name == "thresholdedrelu") return choose(greater_equal(x, x.number(function.alpha)), x, 0);
  if (function.name == "scaledtanh") return (x * function.beta).apply(ops::Tanh{}) * function.alpha;
  MO_ASSERT(function.name == "hardsigmoid", "an activation that extraction does not let through");
  return {rw, rw.create(ops::HardSigmoid{}, x, x.number(function.alpha), x.number(function.beta)), x.type()};
}

/// The TensorIterator while it is put together.
class Steps {
 public:
  Steps(Rewriter& rw, const RecurrentSteps& layer)
      : rw_(rw),
        layer_(layer),
        inner_(iterator_.body.graph()),
        time_(layer.batch_first ? 1 : 0),
        type_(type_of(layer.x).element_type) {}

  /// Inside of the body: what is the same in every step.
  Term fixed(const Value& value, std::string_view name) { return input(value, name, false); }
  /// One step of a tensor with a dimension of time, without that dimension.
  Term slice(const Value& value, std::string_view name, ElementType type) {
    const Term whole = input(value, name, true);
    return {inner_, without_axis(inner_, whole, time_), type};
  }
  Term slice(const Value& value, std::string_view name) { return slice(value, name, type_); }
  /// A state; `next` says what it becomes.
  Term state(const Value& first, std::string_view name) { return input(first, name, false); }
  /// Makes `value` the next state of the Parameter that was made as number `parameter`, and an output.
  void next(const Term& value, std::int64_t parameter) {
    const std::int64_t result = add_result(value);
    iterator_.back_edges.push_back({.result = result, .parameter = parameter});
    iterator_.output_map.push_back(last_output(result, result));
  }
  /// Puts `value` of all steps together.
  void collect(const Term& value) {
    const std::int64_t result = add_result(inner_.create(ops::Unsqueeze{}, value, inner_.integers({time_})));
    ops::OutputMap map = last_output(result, result);
    map.axis = time_;
    if (layer_.reverse) std::tie(map.start, map.end, map.stride) = std::tuple(-1, 0, -1);
    iterator_.output_map.push_back(map);
  }
  std::int64_t parameters() const { return static_cast<std::int64_t>(arguments_.size()); }

  Expected<Node> finish() {
    if (inner_.error()) return *inner_.error();
    const auto outputs = static_cast<std::size_t>(results_);
    return rw_.create_node(std::move(iterator_), arguments_, outputs);
  }

  /// Equal parts of a row of gates.
  std::vector<Term> parts(const Term& gates, std::int64_t count) {
    const Value inputs[] = {gates.value(), inner_.scalar<std::int64_t>(1)};
    const Node split = inner_.create_node(ops::Split{.num_splits = count}, inputs, static_cast<std::size_t>(count));
    std::vector<Term> made;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) made.emplace_back(inner_, split.output(i), type_);
    return made;
  }
  Term times(const Term& x, const Term& weights) { return {inner_, product_with(inner_, x, weights), type_}; }

 private:
  Term input(const Value& value, std::string_view name, bool sliced) {
    ops::InputMap map = whole_input(parameters(), parameters());
    if (sliced) {
      map.axis = time_;
      if (layer_.reverse) std::tie(map.start, map.end, map.stride) = std::tuple(-1, 0, -1);
    }
    const Node parameter = inner_.graph().create_parameter(TensorType{}, name);
    iterator_.input_map.push_back(map);
    arguments_.push_back(value);
    return {inner_, parameter.output(), type_};
  }
  std::int64_t add_result(const Value& value) {
    inner_.graph().create_result(value);
    return results_++;
  }

  Rewriter& rw_;
  const RecurrentSteps& layer_;
  ops::TensorIterator iterator_;
  Rewriter inner_;
  std::int64_t time_;
  ElementType type_;
  std::vector<Value> arguments_;
  std::int64_t results_ = 0;
};

/// Elements from `begin` to `end` gates of `rows`, whose first dimension has H elements for each gate.
Value gates_of(Rewriter& rw, const Value& rows, const RecurrentSteps& layer, std::int64_t begin, std::int64_t end) {
  return slice_along(rw, rows, 0, begin * layer.hidden, end * layer.hidden);
}

/// What is added to x · Wᵀ: both biases, except that a linear_before_reset GRU adds that of the hidden state inside of
/// the reset.
Value outer_bias(Rewriter& rw, const RecurrentSteps& layer) {
  const std::int64_t gates = gate_count(layer.kind);
  const auto sum = [&](std::int64_t begin, std::int64_t end) {
    return rw.create(ops::Add{}, gates_of(rw, layer.bias, layer, begin, end),
                     gates_of(rw, layer.bias, layer, gates + begin, gates + end));
  };
  if (layer.kind == CellKind::gru && layer.linear_before_reset)
    return join(rw, {sum(0, 2), gates_of(rw, layer.bias, layer, 2, 3)});
  return sum(0, gates);
}

/// Whether the step belongs to the sequence: boolean [T, N, 1], or [N, T, 1] with the batch first.
Value steps_that_count(Rewriter& rw, const RecurrentSteps& layer) {
  const Term steps =
      count_up(rw, as_scalar(rw, length_along(rw, layer.x, layer.batch_first ? 1 : 0)), ElementType::i64);
  const Term lengths(rw, as_i64(rw, layer.lengths), ElementType::i64);
  const Term counts =
      less(steps.unsqueezed({layer.batch_first ? 0 : 1}), lengths.unsqueezed({layer.batch_first ? 1 : 0}));
  return counts.unsqueezed({2});
}

/// ONNX LSTM-14, one step.
struct CellResult {
  Term hidden;
  std::optional<Term> cell;
};
CellResult lstm_cell(Rewriter& rw, Steps& steps, const RecurrentSteps& layer, const Term& from_x, const Term& h,
                     const Term& c) {
  const Term recurrence = steps.fixed(layer.recurrence, "recurrence");
  std::vector<Term> gates = steps.parts(steps.times(h, recurrence) + from_x, 4);
  const auto peephole = [&](std::int64_t i, const Term& cell, std::string_view name) {
    if (layer.peepholes)
      gates[static_cast<std::size_t>(i)] =
          gates[static_cast<std::size_t>(i)] + steps.fixed(gates_of(rw, layer.peepholes, layer, i, i + 1), name) * cell;
  };
  peephole(0, c, "input_peephole");
  if (!layer.input_forget) peephole(2, c, "forget_peephole");
  const Term in = cell_activation(layer.functions[0], layer.clip, gates[0]);
  const Term forget = layer.input_forget ? 1.0 - in : cell_activation(layer.functions[0], layer.clip, gates[2]);
  const Term cell = forget * c + in * cell_activation(layer.functions[1], layer.clip, gates[3]);
  peephole(1, cell, "output_peephole");
  const Term out = cell_activation(layer.functions[0], layer.clip, gates[1]);
  // The clip bounds what the gates get; the cell state goes through h as it is.
  return {out * cell_activation(layer.functions[2], 0, cell), cell};
}

/// ONNX GRU-14, one step.
CellResult gru_cell(Rewriter& rw, Steps& steps, const RecurrentSteps& layer, const Term& from_x, const Term& h) {
  const std::vector<Term> of_x = steps.parts(from_x, 3);
  const Term gates_recurrence = steps.fixed(gates_of(rw, layer.recurrence, layer, 0, 2), "gates_recurrence");
  const Term hidden_recurrence = steps.fixed(gates_of(rw, layer.recurrence, layer, 2, 3), "hidden_recurrence");
  const std::vector<Term> of_h = steps.parts(steps.times(h, gates_recurrence), 2);
  const Term update = cell_activation(layer.functions[0], layer.clip, of_h[0] + of_x[0]);
  const Term reset = cell_activation(layer.functions[0], layer.clip, of_h[1] + of_x[1]);
  const Term recurrent = [&] {
    if (!layer.linear_before_reset) return steps.times(reset * h, hidden_recurrence);
    const Term linear = steps.times(h, hidden_recurrence);
    if (!layer.bias) return reset * linear;
    return reset * (linear + steps.fixed(gates_of(rw, layer.bias, layer, 5, 6), "hidden_bias"));
  }();
  const Term hidden = cell_activation(layer.functions[1], layer.clip, recurrent + of_x[2]);
  return {(1.0 - update) * hidden + update * h, std::nullopt};
}

/// Sums begin with what the state gives: runtimes compute an op in the place of its first input, and a state in the
/// place of a slice is lost with the next slice (TakenOverLoopStates).
CellResult cell_of(Rewriter& rw, Steps& steps, const RecurrentSteps& layer, const Term& from_x, const Term& h,
                   const std::optional<Term>& c) {
  if (layer.kind == CellKind::lstm) return lstm_cell(rw, steps, layer, from_x, h, *c);
  if (layer.kind == CellKind::gru) return gru_cell(rw, steps, layer, from_x, h);
  const Term recurrence = steps.fixed(layer.recurrence, "recurrence");
  return {cell_activation(layer.functions[0], layer.clip, steps.times(h, recurrence) + from_x), std::nullopt};
}

}  // namespace

Expected<RecurrentStates> recurrent_steps(Rewriter& rw, const RecurrentSteps& layer) {
  // The products with x of all steps are one product.
  Value from_x = product_with(rw, layer.x, layer.weights);
  if (layer.bias) from_x = rw.create(ops::Add{}, from_x, outer_bias(rw, layer));
  Steps steps(rw, layer);
  const Term step = steps.slice(from_x, "step");
  const std::int64_t hidden_number = steps.parameters();
  const Term h = steps.state(layer.hidden_state, "hidden_state");
  const std::int64_t cell_number = steps.parameters();
  std::optional<Term> c;
  if (layer.kind == CellKind::lstm) c = steps.state(layer.cell_state, "cell_state");
  CellResult result = cell_of(rw, steps, layer, step, h, c);
  Term seen = result.hidden;
  if (layer.lengths) {
    const Term counts = steps.slice(steps_that_count(rw, layer), "counts", ElementType::boolean);
    seen = choose(counts, result.hidden, 0);
    result.hidden = choose(counts, result.hidden, h);
    if (c) result.cell = choose(counts, *result.cell, *c);
  }
  steps.collect(seen);
  steps.next(result.hidden, hidden_number);
  if (c) steps.next(*result.cell, cell_number);
  MO_ASSIGN(const Node made, steps.finish());
  return RecurrentStates{made.output(0), made.output(1), c ? made.output(2) : Value()};
}

}  // namespace mo::onnx
