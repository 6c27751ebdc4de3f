#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/linear_quantization.hpp"
#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/translate.hpp"

namespace mo::onnx {
namespace {

/// Opset 10: one scale per tensor; 13: per axis; 21: blocks. `typed_since`: the version that lets the model name the
/// type of the result.
Expected<QuantizationLayout> quantization_layout(const FrameworkNode& node, std::int64_t typed_since) {
  QuantizationLayout layout;
  if (node.version() < 13) return layout;
  layout.axis = node.attr<std::int64_t>("axis", 1);
  if (node.version() >= 21) {
    layout.block_size = node.attr<std::int64_t>("block_size", 0);
    if (layout.block_size < 0)
      return node.error("MO-ONNX-0102", "block_size is {}", layout.block_size).hint("it is 0 or positive");
  }
  if (node.version() >= typed_since) {
    if (const auto number = node.attr<std::int64_t>("output_dtype", 0)) {
      MO_ASSIGN(layout.output_type, data_type_of_number(node, "output_dtype", number));
    }
  }
  return layout;
}

}  // namespace

/// Opset 19 adds half types, 21 integers of 4 and 16 bits.
void register_quantization(OperatorTable& table) {
  table.translate("QuantizeLinear", since(10), [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_ASSIGN(QuantizationLayout layout, quantization_layout(node, 21));
    if (const auto precision = node.version() < 23 ? 0 : node.attr<std::int64_t>("precision", 0)) {
      MO_ASSIGN(layout.division_type, data_type_of_number(node, "precision", precision));
    }
    return quantize_linear(node, rw, layout);
  });
  table.translate("DequantizeLinear", since(10), [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_ASSIGN(const QuantizationLayout layout, quantization_layout(node, 23));
    return dequantize_linear(node, rw, layout);
  });
  table.translate("DynamicQuantizeLinear", since(11), [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(1));
    const DynamicQuantization made = quantize_by_range(rw, node.input(0));
    return Outputs{made.quantized, made.scale, made.zero_point};
  });
}

}  // namespace mo::onnx
