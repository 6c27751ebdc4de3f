#include "ops/reference/recurrent.hpp"

#include <algorithm>
#include <cmath>

#include "core/tensor/convert.hpp"

namespace mo::ops::reference {
namespace {

/// Eight running sums: an order of additions that every machine keeps and compilers turn into vector instructions.
template <class A>
A dot(const A* a, const A* b, std::int64_t n) {
  std::array<A, 8> sums{};
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane)
      sums[lane] += a[i + static_cast<std::int64_t>(lane)] * b[i + static_cast<std::int64_t>(lane)];
  for (; i < n; ++i) sums[static_cast<std::size_t>(i % 8)] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

template <class A>
A apply(const Activation& f, A x) {
  const A alpha = static_cast<A>(f.alpha);
  const A beta = static_cast<A>(f.beta);
  switch (f.kind) {
    case Activation::Kind::sigmoid: return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
    case Activation::Kind::tanh: return std::tanh(x);
    case Activation::Kind::relu: return std::max(x, A{0});
    case Activation::Kind::hard_sigmoid: return std::clamp(alpha * x + beta, A{0}, A{1});
    case Activation::Kind::scaled_tanh: return alpha * std::tanh(beta * x);
    case Activation::Kind::leaky_relu: return x < 0 ? alpha * x : x;
    case Activation::Kind::thresholded_relu: return x > alpha ? x : A{0};
    case Activation::Kind::affine: return alpha * x + beta;
    case Activation::Kind::elu: return x < 0 ? alpha * std::expm1(x) : x;
    case Activation::Kind::soft_sign: return x / (1 + std::abs(x));
    case Activation::Kind::soft_plus: break;
  }
  return std::max(x, A{0}) + std::log1p(std::exp(-std::abs(x)));
}

/// The weights of one direction, and the step from one state to the next for one batch element.
template <class A>
struct Cell {
  const RecurrentParameters& parameters;
  std::int64_t input;
  std::int64_t hidden;
  const A* weights;
  const A* recurrence;
  const A* bias;  ///< null: zeros
  std::vector<A> gates;
  std::vector<A> reset;

  A activate(std::size_t function, A x) const {
    if (parameters.clip > 0) x = std::clamp(x, static_cast<A>(-parameters.clip), static_cast<A>(parameters.clip));
    return apply(parameters.activations[function], x);
  }
  A bias_at(std::int64_t row) const { return bias ? bias[row] : A{0}; }
  A from_input(std::int64_t row, const A* x) const { return dot(weights + row * input, x, input); }
  A from_state(std::int64_t row, const A* h) const { return dot(recurrence + row * hidden, h, hidden); }

  void step(const A* x, A* h, A* c) {
    switch (parameters.kind) {
      case CellKind::rnn: return step_rnn(x, h);
      case CellKind::gru: return step_gru(x, h);
      case CellKind::lstm: return step_lstm(x, h, c);
    }
  }

  /// h' = f(W x + R h + B)
  void step_rnn(const A* x, A* h) {
    gates.resize(static_cast<std::size_t>(hidden));
    for (std::int64_t j = 0; j < hidden; ++j)
      gates[static_cast<std::size_t>(j)] = activate(0, from_input(j, x) + from_state(j, h) + bias_at(j));
    std::copy(gates.begin(), gates.end(), h);
  }

  /// z = f(…), r = f(…), n = g(W x + R (r h) + B) or g(W x + Wb + r (R h + Rb)), h' = (1 - z) n + z h
  void step_gru(const A* x, A* h) {
    const auto size = static_cast<std::size_t>(hidden);
    gates.resize(2 * size);
    reset.resize(size);
    for (std::int64_t row = 0; row < 2 * hidden; ++row)
      gates[static_cast<std::size_t>(row)] = activate(0, from_input(row, x) + from_state(row, h) + bias_at(row));
    const A* z = gates.data();
    const A* r = gates.data() + size;
    std::vector<A> next(size);
    for (std::size_t j = 0; j < size; ++j) reset[j] = r[j] * h[j];
    for (std::size_t j = 0; j < size; ++j) {
      const std::int64_t row = 2 * hidden + static_cast<std::int64_t>(j);
      const A recurrent = parameters.linear_before_reset ? r[j] * (from_state(row, h) + bias_at(row + hidden))
                                                         : from_state(row, reset.data());
      next[j] = activate(1, from_input(row, x) + recurrent + bias_at(row));
    }
    for (std::size_t j = 0; j < size; ++j) h[j] = (1 - z[j]) * next[j] + z[j] * h[j];
  }

  /// c' = f c + i g, h' = o h(c')
  void step_lstm(const A* x, A* h, A* c) {
    const auto size = static_cast<std::size_t>(hidden);
    gates.resize(4 * size);
    for (std::int64_t row = 0; row < 4 * hidden; ++row)
      gates[static_cast<std::size_t>(row)] = from_input(row, x) + from_state(row, h) + bias_at(row);
    const auto gate = [&](std::size_t which, std::size_t j) { return gates[parameters.gates[which] * size + j]; };
    for (std::size_t j = 0; j < size; ++j) {
      const A forget = activate(0, gate(0, j));
      const A in = parameters.input_forget ? 1 - forget : activate(0, gate(1, j));
      c[j] = forget * c[j] + in * activate(1, gate(2, j));
      // The clip bounds what the gates get; the new cell state goes through h as it is.
      h[j] = activate(0, gate(3, j)) * apply(parameters.activations[2], c[j]);
    }
  }
};

template <class A>
Expected<RecurrentOutputs> run(const RecurrentInputs& given, const RecurrentParameters& parameters) {
  const ElementType type = given.data.element_type();
  RecurrentInputs in = given;
  const auto computed = [](Tensor& tensor) -> Expected<void> {
    if (tensor.empty()) return {};
    MO_ASSIGN(tensor, convert(tensor, element_type_of<A>));
    return {};
  };
  for (Tensor* tensor : {&in.data, &in.hidden, &in.cell, &in.weights, &in.recurrence, &in.bias})
    MO_TRY(computed(*tensor));
  const std::int64_t batch = in.data.shape()[0];
  const std::int64_t length = in.data.shape()[1];
  const std::int64_t input = in.data.shape()[2];
  const std::int64_t directions = in.hidden.shape()[1];
  const std::int64_t hidden = in.hidden.shape()[2];
  const std::int64_t rows = gate_count(parameters.kind) * hidden;
  const bool has_cell = parameters.kind == CellKind::lstm;

  MO_ASSIGN(Tensor all, Tensor::allocate(element_type_of<A>, {batch, directions, length, hidden}));
  MO_ASSIGN(Tensor last, Tensor::allocate(element_type_of<A>, in.hidden.shape()));
  Tensor last_cell;
  if (has_cell) { MO_ASSIGN(last_cell, Tensor::allocate(element_type_of<A>, in.hidden.shape())); }
  A* const all_values = all.mutable_values<A>().data();
  A* const states = last.mutable_values<A>().data();
  A* const cells = has_cell ? last_cell.mutable_values<A>().data() : nullptr;
  const auto first = in.hidden.values<A>();
  std::copy(first.begin(), first.end(), states);
  if (has_cell) std::copy_n(in.cell.values<A>().data(), in.cell.element_count(), cells);
  const A* const x = in.data.values<A>().data();

  for (std::int64_t d = 0; d < directions; ++d) {
    const bool reverse = parameters.direction == Direction::reverse || d == 1;
    const std::int64_t bias_rows = in.bias.empty() ? 0 : in.bias.shape()[1];
    Cell<A> cell{parameters,
                 input,
                 hidden,
                 in.weights.values<A>().data() + d * rows * input,
                 in.recurrence.values<A>().data() + d * rows * hidden,
                 in.bias.empty() ? nullptr : in.bias.values<A>().data() + d * bias_rows,
                 {},
                 {}};
    for (std::int64_t b = 0; b < batch; ++b) {
      const std::int64_t state = (b * directions + d) * hidden;
      const std::int64_t end = in.lengths[static_cast<std::size_t>(b)];
      for (std::int64_t t = 0; t < end; ++t) {
        const std::int64_t at = reverse ? end - 1 - t : t;
        cell.step(x + (b * length + at) * input, states + state, has_cell ? cells + state : nullptr);
        std::copy_n(states + state, hidden, all_values + ((b * directions + d) * length + at) * hidden);
      }
    }
  }
  RecurrentOutputs out;
  MO_ASSIGN(out.all, convert(all, type));
  MO_ASSIGN(out.hidden, convert(last, type));
  if (has_cell) { MO_ASSIGN(out.cell, convert(last_cell, type)); }
  return out;
}

}  // namespace

std::optional<Activation> Activation::named(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  struct Row {
    std::string_view name;
    Activation activation;
  };
  static constexpr std::array<Row, 11> kRows{{{"sigmoid", {Kind::sigmoid, 0, 0}},
                                              {"tanh", {Kind::tanh, 0, 0}},
                                              {"relu", {Kind::relu, 0, 0}},
                                              {"hardsigmoid", {Kind::hard_sigmoid, 0.2, 0.5}},
                                              {"scaledtanh", {Kind::scaled_tanh, 1, 1}},
                                              {"leakyrelu", {Kind::leaky_relu, 0.01, 0}},
                                              {"thresholdedrelu", {Kind::thresholded_relu, 1, 0}},
                                              {"affine", {Kind::affine, 1, 0}},
                                              {"elu", {Kind::elu, 1, 0}},
                                              {"softsign", {Kind::soft_sign, 0, 0}},
                                              {"softplus", {Kind::soft_plus, 0, 0}}}};
  for (const Row& row : kRows)
    if (row.name == lower) return row.activation;
  return std::nullopt;
}

Expected<RecurrentOutputs> run_recurrent(const RecurrentInputs& inputs, const RecurrentParameters& parameters) {
  return inputs.data.element_type() == ElementType::f64 ? run<double>(inputs, parameters)
                                                        : run<float>(inputs, parameters);
}

}  // namespace mo::ops::reference
