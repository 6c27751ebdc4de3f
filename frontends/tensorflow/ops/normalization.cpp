#include "frontends/tensorflow/ops/support/spatial_window.hpp"

namespace mo::tensorflow {
namespace {

/// The attributes of FusedBatchNorm, versions 1 to 3 (`factor` since 3; the types of data and statistics may differ since 2).
Expected<AttributeMap> batch_norm_attributes(const FrameworkNode& node) {
  const std::string format = node.attr("data_format", "NHWC");
  const std::size_t axes = format.size() == 5 ? 3 : 2;
  MO_ASSIGN(const DataLayout layout, read_layout(node, axes));
  for (std::size_t i = 3; i < node.output_count(); ++i)
    if (node.output_used(i))
      return node.error("MO-TF-0630", "output {} is read, which holds what training needs", i)
          .hint("cut off what reads it with --output, or export the model for inference");
  const ElementType type = read_type(node, "T").value_or(ElementType::f32);
  return AttributeMap{{"epsilon", node.attr("epsilon", 1e-4)},
                      {"layout", to_attribute(layout)},
                      {"axes", static_cast<std::int64_t>(axes)},
                      {"is_training", node.attr("is_training", true)},
                      {"factor", node.attr("exponential_avg_factor", 1.0)},
                      {"data_type", type},
                      {"statistics_type", read_type(node, "U").value_or(type)}};
}

Expected<Op> fused_batch_norm(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, batch_norm_attributes(node));
  return front_op("TfFusedBatchNorm", std::move(attributes));
}

/// Grappler: FusedBatchNorm, plus one more tensor, behind an activation.
Expected<Op> fused_batch_norm_ex(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, batch_norm_attributes(node));
  const std::string activation = node.attr("activation_mode", "Identity");
  if (activation != "Identity" && activation != "Relu")
    return node.error("MO-TF-0631", "activation_mode is {}", activation).hint("it is one of Identity, Relu");
  const auto sides = node.attr<std::int64_t>("num_side_inputs", 0);
  if (sides != 0 && sides != 1) return node.error("MO-TF-0631", "num_side_inputs is {}", sides).hint("it is 0 or 1");
  attributes.set("relu", activation == "Relu");
  attributes.set("side_input", sides == 1);
  return front_op("TfFusedBatchNorm", std::move(attributes));
}

/// TensorFlow LRN: the window reaches `depth_radius` channels to both sides, and alpha is not divided by its size as in the IR.
Expected<Op> local_response_normalization(const FrameworkNode& node) {
  const auto radius = node.attr<std::int64_t>("depth_radius", 5);
  constexpr std::int64_t kLargestRadius = std::int64_t{1} << 30;
  if (radius < 0 || radius > kLargestRadius)
    return node.error("MO-TF-0622", "depth_radius is {}, which is outside of [0, {}]", radius, kLargestRadius)
        .hint("check how the model was exported");
  const std::int64_t size = 2 * radius + 1;
  return front_op("TfLRN", {{"size", size},
                            {"alpha", node.attr("alpha", 1.0) * static_cast<double>(size)},
                            {"beta", node.attr("beta", 0.5)},
                            {"bias", node.attr("bias", 1.0)}});
}

}  // namespace

void register_normalization(OperatorTable& table) {
  table.extract("FusedBatchNorm", fused_batch_norm);
  table.extract("FusedBatchNormV2", fused_batch_norm);
  table.extract("FusedBatchNormV3", fused_batch_norm);
  table.extract("_FusedBatchNormEx", fused_batch_norm_ex);
  table.extract("BatchNormWithGlobalNormalization", [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("TfBatchNormWithGlobalNormalization",
                    {{"epsilon", node.required<double>("variance_epsilon")}, {"scaled", node.required<bool>("scale_after_normalization")}});
  });
  table.extract("LRN", local_response_normalization);
}

}  // namespace mo::tensorflow
