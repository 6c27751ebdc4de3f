#include "extensions/support/term.hpp"

namespace mo::front::onnx {
namespace {

Term term(Rewriter& rw, const Value& value) { return {rw, value, known_element_type(value)}; }
Term like(const Term& x, const Term& type_of) { return {x.rewriter(), as_type_of(x.rewriter(), x.value(), type_of.value()), type_of.type()}; }
Term power(double base, const Term& exponent) { return exponent.number(base).apply(ops::Power{}, exponent); }
Term root(const Term& x) { return x.apply(ops::Sqrt{}); }
double number(const Node& node, std::string_view name) { return node.attr<double>(name).value_or(0); }

/// The inputs of an optimizer: rate, update count, then groups of as many tensors as there are variables.
struct Step {
  Rewriter& rw;
  const Node& node;
  std::size_t groups;
  std::size_t variables = (node.in_port_count() - 2) / groups;

  Term rate() const { return term(rw, node.input(0)); }
  /// In the type of the rate.
  Term count() const { return like(term(rw, node.input(1)), rate()); }
  Term tensor(std::size_t group, std::size_t variable) const { return term(rw, node.input(2 + group * variables + variable)); }
  /// G + norm_coefficient * X: the gradient with that of the L2 norm.
  Term gradient(std::size_t variable) const {
    const double coefficient = number(node, "norm_coefficient");
    const Term given = tensor(1, variable);
    return coefficient == 0 ? given : tensor(0, variable) * coefficient + given;
  }
};

/// A replacer that sees each variable by itself: `update(step, variable)` gives its outputs, in the order of the groups of outputs.
template <class Fn>
auto for_each_variable(std::size_t groups, Fn update) {
  return [=](const Node& node, Rewriter& rw) -> Replacement {
    if (node.in_port_count() < 2 + groups) return missing_input(node);
    for (const InPort& port : node.in_ports())
      if (port.disconnected()) return missing_input(node);
    const Step step{rw, node, groups};
    Outputs outputs(step.variables * (groups - 1));
    for (std::size_t i = 0; i < step.variables; ++i) {
      const std::vector<Value> results = update(step, i);
      for (std::size_t group = 0; group < results.size(); ++group) outputs[group * step.variables + i] = results[group];
    }
    outputs.resize(node.out_port_count());
    return outputs;
  };
}

/// ONNX Adagrad-1: H' = H + G^2, X' = X - R / (1 + T * decay) * G / (sqrt(H') + epsilon)
std::vector<Value> adagrad(const Step& step, std::size_t i) {
  const Term x = step.tensor(0, i);
  const Term gradient = step.gradient(i);
  const Term squares = step.tensor(2, i) + gradient * gradient;
  const Term rate = step.rate() / (step.count() * number(step.node, "decay_factor") + 1);
  return {x - like(rate, x) * gradient / (root(squares) + number(step.node, "epsilon")), squares};
}

/// ONNX Adam-1: V' and H' are running means of G and G^2; the rate makes up for their start at zero.
std::vector<Value> adam(const Step& step, std::size_t i) {
  const double alpha = number(step.node, "alpha");
  const double beta = number(step.node, "beta");
  const Term x = step.tensor(0, i);
  const Term gradient = step.gradient(i);
  const Term mean = step.tensor(2, i) * alpha + gradient * (1 - alpha);
  const Term squares = step.tensor(3, i) * beta + gradient * gradient * (1 - beta);
  const Term count = step.count();
  const Term corrected = step.rate() * root(1 - power(beta, count)) / (1 - power(alpha, count));
  const Term rate = choose(greater(count, 0), corrected, step.rate());
  Term next = x - like(rate, x) * mean / (root(squares) + number(step.node, "epsilon"));
  if (const double after = number(step.node, "norm_coefficient_post"); after != 0) next = next * (1 - after);
  return {next, mean, squares};
}

/// ONNX Momentum-1: V' = alpha * V + beta * G (beta counts from the second update on), X' = X - R * V', or with Nesterov's
/// X' = X - R * (G + alpha * V')
std::vector<Value> momentum(const Step& step, std::size_t i) {
  const double alpha = number(step.node, "alpha");
  const Term x = step.tensor(0, i);
  const Term gradient = step.gradient(i);
  const Term count = step.count();
  const Term beta = like(choose(greater(count, 0), count.number(number(step.node, "beta")), 1), x);
  const Term history = step.tensor(2, i) * alpha + beta * gradient;
  const Term direction = step.node.attr<bool>("nesterov").value_or(false) ? gradient + history * alpha : history;
  return {x - like(step.rate(), x) * direction, history};
}

}  // namespace

void register_training(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxAdagrad").replace_op(for_each_variable(3, adagrad)));
  passes.add(front_replacement_op("OnnxAdam").replace_op(for_each_variable(4, adam)));
  passes.add(front_replacement_op("OnnxMomentum").replace_op(for_each_variable(3, momentum)));
}

}  // namespace mo::front::onnx
