#include "core/registry/operator_table.hpp"
#include "frontends/onnx/ops/support/data_type_attribute.hpp"

namespace mo::onnx {
namespace {

/// Axis and block size; per tensor without an axis.
Expected<AttributeMap> blocks(const FrameworkNode& node) {
  AttributeMap attributes{{"axis", node.attr<std::int64_t>("axis", 1)}};
  if (node.version() >= 21) {
    const auto block_size = node.attr<std::int64_t>("block_size", 0);
    if (block_size < 0) return node.error("MO-ONNX-0102", "block_size is {}", block_size).hint("it is 0 or positive");
    attributes.set("block_size", block_size);
  }
  return attributes;
}

Expected<Op> quantize(const FrameworkNode& node) {
  node.ignore({"saturate", "precision"});  // of 8-bit floats, which are refused by their zero point; the quotient is computed in f32
  MO_ASSIGN(AttributeMap attributes, blocks(node));
  if (node.version() >= 21) {
    if (const auto number = node.attr<std::int64_t>("output_dtype", 0)) {
      MO_ASSIGN(const ElementType type, data_type_of_number(node, "output_dtype", number));
      attributes.set("output_type", type);
    }
  }
  return front_op("OnnxQuantizeLinear", std::move(attributes));
}

Expected<Op> dequantize(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, blocks(node));
  if (node.version() >= 23) {
    if (const auto number = node.attr<std::int64_t>("output_dtype", 0)) {
      MO_ASSIGN(const ElementType type, data_type_of_number(node, "output_dtype", number));
      attributes.set("output_type", type);
    }
  }
  return front_op("OnnxDequantizeLinear", std::move(attributes));
}

}  // namespace

void register_quantization(OperatorTable& table) {
  // Opset 10: one scale per tensor; 13: per axis; 19: half types; 21: blocks, 4 and 16 bits.
  table.extract("QuantizeLinear", versions(10, 12), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxQuantizeLinear"); });
  table.extract("QuantizeLinear", since(13), quantize);
  table.extract("DequantizeLinear", versions(10, 12), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxDequantizeLinear"); });
  table.extract("DequantizeLinear", since(13), dequantize);
  table.extract("DynamicQuantizeLinear", since(11), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxDynamicQuantizeLinear"); });
}

}  // namespace mo::onnx
