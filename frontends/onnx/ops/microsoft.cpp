#include "core/registry/operator_table.hpp"
#include "ops/activations.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::onnx {
namespace {

Expected<Op> skip_normalization(const FrameworkNode& node, bool root, double epsilon) {
  if (node.output_used(1) || node.output_used(2))
    return node.error("MO-ONNX-0110", "the statistics of training are used")
        .hint("export the model for inference, or cut off what reads them with --output");
  return front_op("MicrosoftSkipLayerNormalization", {{"epsilon", node.attr("epsilon", epsilon)}, {"root", root}});
}

Expected<Op> layer_normalization(const FrameworkNode& node) {
  return front_op("OnnxLayerNormalization", {{"axis", node.attr<std::int64_t>("axis", -1)},
                                             {"epsilon", node.attr("epsilon", 1e-5)},
                                             {"stash_type", node.attr<std::int64_t>("stash_type", 1)}});
}

Expected<Op> simplified_layer_normalization(const FrameworkNode& node) {
  return front_op("MicrosoftSimplifiedLayerNormalization", {{"axis", node.attr<std::int64_t>("axis", -1)},
                                                            {"epsilon", node.attr("epsilon", 1e-5)},
                                                            {"stash_type", node.attr<std::int64_t>("stash_type", 1)}});
}

Expected<Op> embed_layer_normalization(const FrameworkNode& node) {
  if (const auto type = node.attr<std::int64_t>("mask_index_type", 0); type != 0 && type != 1)
    return node.error("MO-ONNX-0444", "mask_index_type is {}", type).hint("the mask of the result is counted (1) or not wanted (0)");
  return front_op("MicrosoftEmbedLayerNormalization", {{"epsilon", node.attr("epsilon", 1e-12)}});
}

/// BiasDropout without training; the mask of what was dropped has no meaning then.
Expected<Op> bias_dropout(const FrameworkNode& node) {
  node.ignore({"seed"});
  if (node.has_input(4) || node.output_used(1))
    return node.error("MO-ONNX-0444", "the mode is only known at run time, or the mask of a dropout is read")
        .hint("export the model for inference (model.eval())");
  return front_op("MicrosoftBiasAdd");
}

}  // namespace

/// Activations and normalisations that ONNX Runtime's optimiser writes into models (domain com.microsoft).
void register_microsoft(OperatorTable& table) {
  table.extract("com.microsoft::Gelu", since(1),
            [](const FrameworkNode&) -> Expected<Op> { return ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf}; });
  table.extract("com.microsoft::BiasGelu", since(1), [](const FrameworkNode&) -> Expected<Op> {
    return front_op("MicrosoftBiasGelu", {{"approximate", "erf"}});
  });
  table.extract("com.microsoft::FastGelu", since(1), [](const FrameworkNode&) -> Expected<Op> {
    return front_op("MicrosoftBiasGelu", {{"approximate", "tanh"}});
  });
  table.extract("com.microsoft::QuickGelu", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MicrosoftQuickGelu", {{"alpha", node.attr("alpha", 1.702)}});
  });
  table.extract("com.microsoft::BiasSplitGelu", since(1), [](const FrameworkNode&) -> Expected<Op> { return front_op("MicrosoftBiasSplitGelu"); });
  table.extract("com.microsoft::BiasAdd", since(1), [](const FrameworkNode&) -> Expected<Op> { return front_op("MicrosoftBiasAdd"); });
  table.extract("com.microsoft::BiasDropout", since(1), bias_dropout);
  table.extract("com.microsoft::SampleOp", since(1), [](const FrameworkNode&) -> Expected<Op> { return ops::Identity{}; });
  table.extract("com.microsoft::SkipLayerNormalization", since(1), [](const FrameworkNode& node) { return skip_normalization(node, false, 1e-12); });
  table.extract("com.microsoft::SkipSimplifiedLayerNormalization", since(1),
            [](const FrameworkNode& node) { return skip_normalization(node, true, 1e-12); });
  table.extract("com.microsoft::EmbedLayerNormalization", since(1), embed_layer_normalization);
  table.extract("com.microsoft::LayerNormalization", since(1), layer_normalization);
  table.extract("com.microsoft::SimplifiedLayerNormalization", since(1), simplified_layer_normalization);
  // ONNX Runtime puts these two into the default domain of models of any opset, as its own operators.
  table.extract("LayerNormalization", versions(1, 16), layer_normalization);
  table.extract("SimplifiedLayerNormalization", since(1), simplified_layer_normalization);
}

}  // namespace mo::onnx
