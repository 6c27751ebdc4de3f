#include "core/registry/operator_table.hpp"
#include "ops/batch_norm_inference.hpp"
#include "ops/group_normalization.hpp"
#include "ops/lrn.hpp"

namespace mo::onnx {
namespace {

/// Some output behind the normalised tensor has a reader.
bool reads_statistics(const FrameworkNode& node) {
  for (std::size_t i = 1; i < node.output_count(); ++i)
    if (node.output_used(i)) return true;
  return false;
}

/// The inference form.
Expected<Op> batch_norm_inference(const FrameworkNode& node, bool spatial) {
  node.ignore({"momentum", "consumed_inputs"});
  const auto epsilon = node.attr("epsilon", 1e-5);
  if (reads_statistics(node))
    return node.error("MO-ONNX-0110", "a statistic of training is read, and the node is not in training mode")
        .hint("export the model for inference, or cut off what reads it with --output");
  if (!spatial) return front_op("OnnxBatchNormPerElement", {{"epsilon", epsilon}});
  // Trailing outputs that nobody reads go away with the node.
  if (node.output_count() > 1) return front_op("OnnxBatchNormalization", {{"epsilon", epsilon}});
  return ops::BatchNormInference{.epsilon = epsilon};
}

/// The form that normalises with the statistics of the batch and mixes them into the running ones.
Expected<Op> batch_norm_training(const FrameworkNode& node, bool spatial) {
  node.ignore({"consumed_inputs"});
  for (std::size_t i = 3; i < node.output_count(); ++i)
    if (node.output_used(i))
      return node.error("MO-ONNX-0110", "output {}, a statistic kept for the backward pass, is read", i)
          .hint("ONNX does not say what it holds; cut off what reads it with --output");
  return front_op("OnnxBatchNormTraining", {{"epsilon", node.attr("epsilon", 1e-5)}, {"momentum", node.attr("momentum", 0.9)}, {"spatial", spatial}});
}

Expected<Op> batch_normalization(const FrameworkNode& node, bool spatial, bool training) {
  return training ? batch_norm_training(node, spatial) : batch_norm_inference(node, spatial);
}

Expected<Op> local_response(const FrameworkNode& node) {
  const auto size = node.required<std::int64_t>("size");
  if (size < 1) return node.error("MO-ONNX-0102", "size is {}, which is not positive", size).hint("check how the model was exported");
  return front_op("OnnxLRN",
                  {{"alpha", node.attr("alpha", 1e-4)}, {"beta", node.attr("beta", 0.75)}, {"bias", node.attr("bias", 1.0)}, {"size", size}});
}

}  // namespace

void register_normalization(OperatorTable& table) {
  // What decides about training: is_test up to opset 6 (files without it that only want the result are meant for inference), then, until opset 14 brought training_mode, the presence of further outputs; some
  // exporters list those in any mode, so it is their readers that count. `spatial` left the attributes with opset 9.
  table.extract("BatchNormalization", versions(1, 6), [](const FrameworkNode& node) {
    return batch_normalization(node, node.attr("spatial", true), !node.attr("is_test", !reads_statistics(node)));
  });
  table.extract("BatchNormalization", versions(7, 8),
            [](const FrameworkNode& node) { return batch_normalization(node, node.attr("spatial", true), reads_statistics(node)); });
  table.extract("BatchNormalization", versions(9, 13), [](const FrameworkNode& node) { return batch_normalization(node, true, reads_statistics(node)); });
  table.extract("BatchNormalization", since(14),
            [](const FrameworkNode& node) { return batch_normalization(node, true, node.attr("training_mode", false)); });
  table.extract("InstanceNormalization", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"consumed_inputs"});
    return front_op("OnnxInstanceNormalization", {{"epsilon", node.attr("epsilon", 1e-5)}});
  });
  table.extract("LayerNormalization", since(17), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxLayerNormalization", {{"axis", node.attr<std::int64_t>("axis", -1)},
                                               {"epsilon", node.attr("epsilon", 1e-5)},
                                               {"stash_type", node.attr<std::int64_t>("stash_type", 1)}});
  });
  // GroupNormalization-18 has scale and bias per group, -21 per channel. The precision that stash_type asks for is that of the kernels.
  table.extract("GroupNormalization", versions(18, 20), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxGroupNormalization", {{"num_groups", node.required<std::int64_t>("num_groups")}, {"epsilon", node.attr("epsilon", 1e-5)}});
  });
  table.extract("GroupNormalization", since(21), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"stash_type"});
    return ops::GroupNormalization{.num_groups = node.required<std::int64_t>("num_groups"), .epsilon = node.attr("epsilon", 1e-5)};
  });
  table.extract("LpNormalization", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    const auto p = node.attr<std::int64_t>("p", 2);
    if (p != 1 && p != 2) return node.error("MO-ONNX-0104", "p is {}", p).hint("LpNormalization is defined for p=1 and p=2");
    return front_op("OnnxLpNormalization", {{"axis", node.attr<std::int64_t>("axis", -1)}, {"p", p}});
  });
  // Experimental before opset 9, with the attributes of Caffe's layer.
  table.extract("MeanVarianceNormalization", versions(1, 8), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxMeanVarianceNormalization", {{"first_axis", std::int64_t{node.attr("across_channels", false) ? 1 : 2}},
                                                      {"normalize_variance", node.attr("normalize_variance", true)}});
  });
  table.extract("MeanVarianceNormalization", since(9), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxMeanVarianceNormalization",
                    {{"axes", node.attr<std::vector<std::int64_t>>("axes", {0, 2, 3})}, {"normalize_variance", true}});
  });
  table.extract("LRN", since(1), local_response);
}

}  // namespace mo::onnx
