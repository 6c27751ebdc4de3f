#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"

namespace mo::onnx {
namespace {

Term like(const Term& x, const Term& type_of) {
  return {x.rewriter(), as_type_of(x.rewriter(), x.value(), type_of.value()), type_of.type()};
}
Term to_the_power_of(double base, const Term& exponent) { return exponent.number(base).apply(ops::Power{}, exponent); }
Term root(const Term& x) { return x.apply(ops::Sqrt{}); }

/// The inputs of an optimizer: rate, update count, then groups of as many tensors as there are variables: all
/// variables, all gradients, all histories. Each group but the gradients has a group of outputs.
struct OptimizerStep {
  Rewriter& rw;
  const FrameworkNode& node;
  std::size_t groups;
  double norm_coefficient;
  std::size_t variables = (node.input_count() - 2) / groups;

  Term rate() const { return term(rw, node.input(0)); }
  /// In the type of the rate.
  Term count() const { return like(term(rw, node.input(1)), rate()); }
  Term tensor(std::size_t group, std::size_t variable) const {
    return term(rw, node.input(2 + group * variables + variable));
  }
  /// G + norm_coefficient * X: the gradient with that of the L2 norm.
  Term gradient(std::size_t variable) const {
    const Term given = tensor(1, variable);
    return norm_coefficient == 0 ? given : tensor(0, variable) * norm_coefficient + given;
  }
};

Expected<void> expect_groups(const FrameworkNode& node, std::size_t groups) {
  const std::size_t tensors = node.input_count() < 2 ? 0 : node.input_count() - 2;
  if (tensors == 0 || tensors % groups != 0 || node.output_count() > tensors / groups * (groups - 1))
    return node
        .error("MO-ONNX-0400", "{} inputs and {} outputs do not form variables of {} tensors each", node.input_count(),
               node.output_count(), groups)
        .hint(
            "an optimizer takes the rate, the update count, and then all variables, gradients and histories; export "
            "the model again");
  return node.expect_inputs(node.input_count());
}

/// `update(step, variable)` gives the outputs of one variable, in the order of the groups of outputs.
template <class Update>
Replacement for_each_variable(const OptimizerStep& step, Update update) {
  Outputs outputs(step.variables * (step.groups - 1));
  for (std::size_t i = 0; i < step.variables; ++i) {
    const std::vector<Value> results = update(i);
    for (std::size_t group = 0; group < results.size(); ++group) outputs[group * step.variables + i] = results[group];
  }
  outputs.resize(step.node.output_count());
  return outputs;
}

/// Adagrad-1: H' = H + G^2, X' = X - R / (1 + T * decay) * G / (sqrt(H') + epsilon)
Replacement adagrad(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_groups(node, 3));
  const auto decay = node.attr("decay_factor", 0.0);
  const auto epsilon = node.attr("epsilon", 1e-6);
  const OptimizerStep step{rw, node, 3, node.attr("norm_coefficient", 0.0)};
  return for_each_variable(step, [&](std::size_t i) -> std::vector<Value> {
    const Term x = step.tensor(0, i);
    const Term gradient = step.gradient(i);
    const Term squares = step.tensor(2, i) + gradient * gradient;
    const Term rate = step.rate() / (step.count() * decay + 1);
    return {x - like(rate, x) * gradient / (root(squares) + epsilon), squares};
  });
}

/// Adam-1: V' and H' are running means of G and G^2; the rate makes up for their start at zero.
Replacement adam(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_groups(node, 4));
  const auto given = node.optional_attr<double>("epsilon");
  // The schema's default is 1e-6; ONNX's reference data for two variables (test_adam_multiple) were made with 1e-2.
  if (!given)
    return node
        .error("MO-ONNX-0411", "Adam has no epsilon, and its definition and its reference data disagree on the default")
        .hint("write the attribute epsilon into the node");
  const double epsilon = *given;
  const auto alpha = node.attr("alpha", 0.9);
  const auto beta = node.attr("beta", 0.999);
  const auto after = node.attr("norm_coefficient_post", 0.0);
  const OptimizerStep step{rw, node, 4, node.attr("norm_coefficient", 0.0)};
  return for_each_variable(step, [&](std::size_t i) -> std::vector<Value> {
    const Term x = step.tensor(0, i);
    const Term gradient = step.gradient(i);
    const Term mean = step.tensor(2, i) * alpha + gradient * (1 - alpha);
    const Term squares = step.tensor(3, i) * beta + gradient * gradient * (1 - beta);
    const Term count = step.count();
    const Term corrected = step.rate() * root(1 - to_the_power_of(beta, count)) / (1 - to_the_power_of(alpha, count));
    const Term rate = choose(greater(count, 0), corrected, step.rate());
    Term next = x - like(rate, x) * mean / (root(squares) + epsilon);
    if (after != 0) next = next * (1 - after);
    return {next, mean, squares};
  });
}

/// Momentum-1: V' = alpha * V + beta * G (beta counts from the second update on), X' = X - R * V', or with Nesterov's
/// X' = X - R * (G + alpha * V')
Replacement momentum(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_groups(node, 3));
  const auto mode = node.required<std::string>("mode");
  if (!node.failure() && mode != "standard" && mode != "nesterov")
    return node.error("MO-ONNX-0401", "mode is \"{}\"", mode).hint("Momentum has the modes standard and nesterov");
  const auto alpha = node.required<double>("alpha");
  const auto beta = node.required<double>("beta");
  const OptimizerStep step{rw, node, 3, node.required<double>("norm_coefficient")};
  return for_each_variable(step, [&](std::size_t i) -> std::vector<Value> {
    const Term x = step.tensor(0, i);
    const Term gradient = step.gradient(i);
    const Term count = step.count();
    const Term weight = like(choose(greater(count, 0), count.number(beta), 1), x);
    const Term history = step.tensor(2, i) * alpha + weight * gradient;
    const Term direction = mode == "nesterov" ? gradient + history * alpha : history;
    return {x - like(step.rate(), x) * direction, history};
  });
}

}  // namespace

/// One step of an optimizer is plain arithmetic, so an IR can do it.
void register_training(OperatorTable& table) {
  table.translate("ai.onnx.preview.training::Adagrad", since(1), adagrad);
  table.translate("ai.onnx.preview.training::Adam", since(1), adam);
  table.translate("ai.onnx.preview.training::Momentum", since(1), momentum);
  table.refuse("ai.onnx.preview.training::Gradient", [](const FrameworkNode& node) -> Expected<Op> {
    return node
        .error(
            "MO-ONNX-0402",
            "the node asks for the derivative of a part of the model, and an IR has no operation that differentiates")
        .hint("export the backward pass as plain operators, or cut the model with --output");
  });
}

}  // namespace mo::onnx
