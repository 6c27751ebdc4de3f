#include "core/registry/extractor.hpp"
#include "ops/activations.hpp"

namespace mo::onnx {

/// Fused operators that ONNX Runtime's optimiser writes into models (domain com.microsoft).
void register_microsoft(ExtractorTable& table) {
  table.add("com.microsoft::Gelu", since(1),
            [](const FrameworkNode&) -> Expected<Op> { return ops::v7::Gelu{.approximation_mode = ops::GeluMode::erf}; });
  table.add("com.microsoft::BiasGelu", since(1), [](const FrameworkNode&) -> Expected<Op> {
    return front_op("MicrosoftBiasGelu", {{"approximate", "erf"}});
  });
  table.add("com.microsoft::FastGelu", since(1), [](const FrameworkNode&) -> Expected<Op> {
    return front_op("MicrosoftBiasGelu", {{"approximate", "tanh"}});
  });
  table.add("com.microsoft::QuickGelu", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("MicrosoftQuickGelu", {{"alpha", node.attr("alpha", 1.702)}});
  });
  table.add("com.microsoft::FusedMatMul", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    if (node.attr("transBatchA", false) || node.attr("transBatchB", false))
      return node.error("MO-ONNX-0160", "transBatchA and transBatchB cannot be expressed")
          .hint("switch off the optimisation that fused the transposition");
    return front_op("MicrosoftFusedMatMul",
                    {{"alpha", node.attr("alpha", 1.0)}, {"transA", node.attr("transA", false)}, {"transB", node.attr("transB", false)}});
  });
  table.add("com.microsoft::SkipLayerNormalization", since(1), [](const FrameworkNode& node) -> Expected<Op> {
    if (node.output_used(1) || node.output_used(2))
      return node.error("MO-ONNX-0110", "the statistics of training are used")
          .hint("export the model for inference, or cut off what reads them with --output");
    return front_op("MicrosoftSkipLayerNormalization", {{"epsilon", node.attr("epsilon", 1e-12)}});
  });
}

}  // namespace mo::onnx
