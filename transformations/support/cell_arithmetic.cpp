#include "transformations/support/cell_arithmetic.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "ops/activations.hpp"
#include "ops/build/term.hpp"
#include "ops/mat_mul.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/reference/recurrent.hpp"
#include "ops/split.hpp"

namespace mo::transformations {
namespace {

using build::Term;
using ops::reference::Activation;

bool is_op(const std::string& name) {
  const auto activation = Activation::named(name);
  if (!activation) return false;
  using Kind = Activation::Kind;
  return activation->kind == Kind::sigmoid || activation->kind == Kind::tanh || activation->kind == Kind::relu ||
         activation->kind == Kind::hard_sigmoid;
}

/// The functions of a cell. Refers to the attributes of an op, which must live longer.
class CellFunctions {
 public:
  template <class Cell>
  explicit CellFunctions(const Cell& cell)
      : names_(cell.activations), alphas_(cell.activations_alpha), betas_(cell.activations_beta), clip_(cell.clip) {}

  /// Whether there are `count` functions, and all of them are ops.
  bool are_ops(std::size_t count) const {
    return names_.size() == count && std::all_of(names_.begin(), names_.end(), is_op);
  }
  /// Function `i` of x limited to the clip of the cell.
  Term of_clipped(const Term& x, std::size_t i) const {
    return of(clip_ > 0 ? x.apply(ops::Clamp{.min = -clip_, .max = clip_}) : x, i);
  }
  /// Function `i` of x.
  Term of(const Term& x, std::size_t i) const {
    const Activation activation = Activation::named(names_[i]).value_or(Activation{});
    switch (activation.kind) {
      case Activation::Kind::sigmoid: return x.apply(ops::Sigmoid{});
      case Activation::Kind::relu: return x.apply(ops::ReLU{});
      case Activation::Kind::hard_sigmoid: {
        const Value inputs[] = {x, x.number(parameter(alphas_, i, activation.alpha)),
                                x.number(parameter(betas_, i, activation.beta))};
        return {x.rewriter(), x.rewriter().create_node(ops::HardSigmoid{}, inputs).output(), x.type()};
      }
      default: return x.apply(ops::Tanh{});
    }
  }

 private:
  static double parameter(const std::vector<double>& given, std::size_t i, double otherwise) {
    return i < given.size() ? given[i] : otherwise;
  }

  const std::vector<std::string>& names_;
  const std::vector<double>& alphas_;
  const std::vector<double>& betas_;
  double clip_;
};

/// x * transposed weights.
Term times_weights(const Term& x, const Term& weights) { return x.apply(ops::MatMul{.transpose_b = true}, weights); }

/// `count` equal parts along an axis.
std::vector<Term> equal_parts(const Term& x, std::int64_t axis, std::size_t count) {
  Rewriter& rw = x.rewriter();
  const Node split =
      rw.create_node(ops::Split{.num_splits = static_cast<std::int64_t>(count)}, {x.value(), rw.scalar(axis)}, count);
  std::vector<Term> parts;
  for (std::size_t i = 0; i < count; ++i) parts.emplace_back(rw, split.output(i), x.type());
  return parts;
}

/// What the hidden gate adds to x W^T: the reset gate scales the state, or with `linear_before_reset` what the
/// recurrence makes of it.
Term reset_recurrence(const Term& h, const Term& reset, const Term& weights, const std::vector<Term>& biases) {
  if (biases.size() == 3) return times_weights(reset * h, weights) + biases[2];
  return reset * (times_weights(h, weights) + biases[3]) + biases[2];
}

/// h and c. opset1 adds orders of gates and peepholes to what opset4 has.
Replacement lstm_states(const Node& node, const ops::v4::LSTMCell& op, Rewriter& rw) {
  const CellFunctions functions(op);
  if (!functions.are_ops(3)) return declined("a function is not an op");
  const auto input = [&](std::size_t i) { return build::term(rw, node.input(i)); };
  const Term recurrence = times_weights(input(1), input(4));
  const Term sum = times_weights(input(0), input(3)) + (node.input(5) ? recurrence + input(5) : recurrence);
  const std::vector<Term> gates = equal_parts(sum, 1, 4);
  const Term forget = functions.of_clipped(gates[0], 0);
  const Term take = functions.of_clipped(gates[1], 0);
  const Term fresh = functions.of_clipped(gates[2], 1);
  const Term give = functions.of_clipped(gates[3], 0);
  const Term cell = forget * input(2) + take * fresh;
  return Outputs{(give * functions.of(cell, 2)).value(), cell.value()};
}

}  // namespace

Replacement rnn_cell_arithmetic(const Node& node, Rewriter& rw) {
  const CellFunctions functions(*node.as<ops::RNNCell>());
  if (!functions.are_ops(1)) return declined("a function is not an op");
  const auto input = [&](std::size_t i) { return build::term(rw, node.input(i)); };
  const Term recurrence = times_weights(input(1), input(3));
  const Term sum = times_weights(input(0), input(2)) + (node.input(4) ? recurrence + input(4) : recurrence);
  return functions.of_clipped(sum, 0).value();
}

Replacement gru_cell_arithmetic(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::GRUCell>();
  const CellFunctions functions(op);
  if (!functions.are_ops(2)) return declined("a function is not an op");
  if (!node.input(4)) return declined("there is no bias");
  const auto input = [&](std::size_t i) { return build::term(rw, node.input(i)); };
  const Term h = input(1);
  const std::vector<Term> products = equal_parts(times_weights(input(0), input(2)), 1, 3);
  const std::vector<Term> weights = equal_parts(input(3), 0, 3);
  const std::vector<Term> biases = equal_parts(input(4), 0, op.linear_before_reset ? 4 : 3);
  const auto gate = [&](std::size_t i) {
    return functions.of_clipped(products[i] + (times_weights(h, weights[i]) + biases[i]), 0);
  };
  const Term update = gate(0);
  const Term reset = gate(1);
  const Term fresh = functions.of_clipped(products[2] + reset_recurrence(h, reset, weights[2], biases), 1);
  // A vector of one element, as nGraph writes it.
  const Term one(rw, rw.fold(ops::Unsqueeze{}, update.number(1), rw.integers({0})), update.type());
  return ((one - update) * fresh + update * h).value();
}

Replacement lstm_cell_arithmetic(const Node& node, Rewriter& rw) {
  const auto* const first = node.as<ops::v0::LSTMCell>();
  if (!first) return lstm_states(node, *node.as<ops::v4::LSTMCell>(), rw);
  if (first->weights_format != ops::LstmWeightsFormat::fico || first->input_forget || node.input(6))
    return declined("another order of gates, coupled gates or peepholes");
  return lstm_states(node, *first, rw);
}

}  // namespace mo::transformations
