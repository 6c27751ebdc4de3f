#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"

namespace mo::onnx {
namespace {

/// Returns true if an output after the normalised tensor has a reader.
bool reads_statistics(const FrameworkNode& node) {
  for (std::size_t i = 1; i < node.output_count(); ++i)
    if (node.output_used(i)) return true;
  return false;
}

/// x / sqrt(variance + epsilon) * scale + bias, all in one type.
Value divided_and_scaled(Rewriter& rw, const Value& x, const Value& variance, double epsilon, const Value& scale,
                         const Value& bias) {
  const Value deviation = rw.create(ops::Sqrt{}, rw.create(ops::Add{}, variance, number_like(rw, variance, epsilon)));
  return rw.create(ops::Add{}, rw.create(ops::Multiply{}, rw.create(ops::Divide{}, x, deviation), scale), bias);
}

/// The inference form. With spatial=0 (up to opset 8), statistics are per element of one sample and broadcast over the
/// batch.
Replacement batch_norm_inference(const FrameworkNode& node, Rewriter& rw, bool spatial) {
  node.ignore({"momentum"}, "of the running statistics, which change in training only");
  const auto epsilon = node.attr("epsilon", 1e-5);
  if (reads_statistics(node))
    return node.error("MO-ONNX-0110", "a statistic of training is read, and the node is not in training mode")
        .hint("export the model for inference, or cut off what reads it with --output");
  const Value x = node.input(0);
  // Data of rank 1 has one channel, whose numbers broadcast.
  if (spatial && x.type().rank() != 1)
    return rw.create(ops::BatchNormInference{.epsilon = epsilon}, x, node.input(1), node.input(2), node.input(3),
                     node.input(4));
  return divided_and_scaled(rw, rw.create(ops::Subtract{}, x, node.input(3)), node.input(4), epsilon, node.input(1),
                            node.input(2));
}

/// The form that normalises x with its own mean and population variance, computed in the type of the running
/// statistics; these become running * momentum + own * (1 - momentum). With spatial=0, each element of a sample has
/// statistics of its own.
Replacement batch_norm_training(const FrameworkNode& node, Rewriter& rw, bool spatial) {
  for (std::size_t i = 3; i < node.output_count(); ++i)
    if (node.output_used(i))
      return node.error("MO-ONNX-0110", "output {}, a statistic kept for the backward pass, is read", i)
          .hint("ONNX does not define its contents; cut off what reads it with --output");
  const auto epsilon = node.attr("epsilon", 1e-5);
  const auto momentum = node.attr("momentum", 0.9);
  const Value x = node.input(0);
  const Value data = as_type_of(rw, x, node.input(3));
  const Value axes = spatial ? join(rw, {rw.integers({0}), axes_from(rw, x, 2)}) : rw.integers({0});
  const Value mean = rw.create(ops::ReduceMean{.keep_dims = true}, data, axes);
  const Value centered = rw.create(ops::Subtract{}, data, mean);
  const Value variance =
      rw.create(ops::ReduceMean{.keep_dims = true}, rw.create(ops::Multiply{}, centered, centered), axes);
  const auto per_element = [&](const Value& numbers) {
    const Value typed = as_type_of(rw, numbers, node.input(3));
    return spatial ? per_channel(rw, typed, x) : typed;
  };
  const Value y =
      divided_and_scaled(rw, centered, variance, epsilon, per_element(node.input(1)), per_element(node.input(2)));
  const auto running = [&](const Value& before, const Value& now) {
    const Value old_part = rw.create(ops::Multiply{}, before, number_like(rw, before, momentum));
    const Value own = rw.create(ops::Reshape{}, as_type_of(rw, now, before), shape_of(rw, before));
    return rw.create(ops::Add{}, old_part, rw.create(ops::Multiply{}, own, number_like(rw, before, 1 - momentum)));
  };
  Outputs outputs(node.output_count());
  outputs[0] = as_type_of(rw, y, x);
  node.ignore_input(4, "it only counts in the running statistics that are given back");
  if (node.output_used(1)) outputs[1] = running(node.input(3), mean);
  if (node.output_used(2)) outputs[2] = running(node.input(4), variance);
  return outputs;
}

Replacement batch_normalization(const FrameworkNode& node, Rewriter& rw, bool spatial, bool training) {
  MO_TRY(node.expect_inputs(5));
  return training ? batch_norm_training(node, rw, spatial) : batch_norm_inference(node, rw, spatial);
}

/// is_test decides; files without it that only want the result are meant for inference.
Replacement batch_norm_of_opset_1(const FrameworkNode& node, Rewriter& rw) {
  return batch_normalization(node, rw, node.attr("spatial", true), !node.attr("is_test", !reads_statistics(node)));
}

/// The presence of further outputs decides; some exporters list those in any mode, so it is their readers that count.
Replacement batch_norm_of_opset_7(const FrameworkNode& node, Rewriter& rw) {
  return batch_normalization(node, rw, node.attr("spatial", true), reads_statistics(node));
}

Replacement batch_norm_of_opset_9(const FrameworkNode& node, Rewriter& rw) {
  return batch_normalization(node, rw, true, reads_statistics(node));
}

Replacement batch_norm_of_opset_14(const FrameworkNode& node, Rewriter& rw) {
  return batch_normalization(node, rw, true, node.attr("training_mode", false));
}

}  // namespace

void register_batch_normalization(OperatorTable& table) {
  table.translate("BatchNormalization", versions(1, 6), batch_norm_of_opset_1);
  table.translate("BatchNormalization", versions(7, 8), batch_norm_of_opset_7);
  table.translate("BatchNormalization", versions(9, 13), batch_norm_of_opset_9);
  table.translate("BatchNormalization", since(14), batch_norm_of_opset_14);
}

}  // namespace mo::onnx
