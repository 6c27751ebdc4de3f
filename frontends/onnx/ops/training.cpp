#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

/// Behind the rate and the update count, the inputs are groups: all variables, all gradients, all histories. Each group but the gradients
/// has a group of outputs.
Expected<void> check_groups(const FrameworkNode& node, std::size_t groups) {
  const std::size_t tensors = node.input_count() < 2 ? 0 : node.input_count() - 2;
  if (tensors == 0 || tensors % groups != 0 || node.output_count() > tensors / groups * (groups - 1))
    return node
        .error("MO-ONNX-0400", "{} inputs and {} outputs are no variables with {} tensors each", node.input_count(), node.output_count(), groups)
        .hint("an optimizer takes the rate, the update count, and then all variables, gradients and histories; check how the model was exported");
  return {};
}

}  // namespace

/// One step of an optimizer is plain arithmetic, so an IR can do it.
void register_training(OperatorTable& table) {
  table.extract("ai.onnx.preview.training::Adagrad", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(check_groups(node, 3));
    return front_op("OnnxAdagrad", {{"decay_factor", node.attr("decay_factor", 0.0)},
                                    {"epsilon", node.attr("epsilon", 1e-6)},
                                    {"norm_coefficient", node.attr("norm_coefficient", 0.0)}});
  });
  table.extract("ai.onnx.preview.training::Adam", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(check_groups(node, 4));
    // The schema's default is 1e-6; ONNX's reference data for two variables (test_adam_multiple) were made with 1e-2.
    if (!node.has("epsilon"))
      return node.error("MO-ONNX-0411", "Adam has no epsilon, and its definition and its reference data disagree on the default")
          .hint("write the attribute epsilon into the node");
    return front_op("OnnxAdam", {{"alpha", node.attr("alpha", 0.9)},
                                 {"beta", node.attr("beta", 0.999)},
                                 {"epsilon", node.attr("epsilon", 1e-6)},
                                 {"norm_coefficient", node.attr("norm_coefficient", 0.0)},
                                 {"norm_coefficient_post", node.attr("norm_coefficient_post", 0.0)}});
  });
  table.extract("ai.onnx.preview.training::Momentum", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    MO_TRY(check_groups(node, 3));
    const auto mode = node.required<std::string>("mode");
    if (!node.failure() && mode != "standard" && mode != "nesterov")
      return node.error("MO-ONNX-0401", "mode is \"{}\"", mode).hint("Momentum has the modes standard and nesterov");
    return front_op("OnnxMomentum", {{"alpha", node.required<double>("alpha")},
                                     {"beta", node.required<double>("beta")},
                                     {"nesterov", mode == "nesterov"},
                                     {"norm_coefficient", node.required<double>("norm_coefficient")}});
  });
  table.refuse("ai.onnx.preview.training::Gradient", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"xs", "zs", "y"});
    return node.error("MO-ONNX-0402", "the node asks for the derivative of a part of the model, and an IR has no operation that differentiates")
        .hint("export the backward pass as plain operators, or cut the model with --output");
  });
}

}  // namespace mo::onnx
