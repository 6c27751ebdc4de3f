#include "frontends/onnx/ops/support/quantized_result.hpp"

#include "frontends/onnx/ops/support/quantize.hpp"

namespace mo::onnx {

Value real_input(const FrameworkNode& node, Rewriter& rw, std::size_t i) {
  return dequantize(rw, node.input(i), node.input(i + 1), node.input(i + 2));
}

Expected<ElementType> quantized_type(const FrameworkNode& node, std::size_t zero_point,
                                     std::initializer_list<std::size_t> same) {
  ElementType type = node.input_type(zero_point).element_type;
  for (const std::size_t i : same)
    if (type == ElementType::dynamic) type = node.input_type(i).element_type;
  if (is_quantized_type(type)) return type;
  return node
      .error("MO-ONNX-0150", "the element type of the result is {}, which is not an integer of 4, 8 or 16 bits",
             to_string(type))
      .hint("the zero points and quantised inputs have this type; quantise the model again");
}

Replacement quantized_result(const FrameworkNode& node, Rewriter& rw, const Value& y, std::size_t scale,
                             std::initializer_list<std::size_t> same) {
  MO_ASSIGN(const ElementType type, quantized_type(node, scale + 1, same));
  return quantize(rw, y, node.input(scale), node.input(scale + 1), type);
}

}  // namespace mo::onnx
