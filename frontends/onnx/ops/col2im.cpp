#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// ONNX Col2Im-18. Inputs: columns, shape of the image, shape of a block.
void register_col2im(OperatorTable& table) {
  table.extract("Col2Im", since(18), [](const FrameworkNode& node) -> Expected<Op> {
    AttributeMap attributes;
    for (const std::string_view name : {"dilations", "strides", "pads"}) {
      const auto numbers = node.attr<std::vector<std::int64_t>>(name, {});
      const std::int64_t least = name == "pads" ? 0 : 1;
      constexpr std::int64_t kMost = std::int64_t{1} << 31;
      for (const std::int64_t number : numbers)
        if (number < least || number > kMost)
          return node.error("MO-ONNX-0102", "{} has the number {}", name, number).hint("check how the model was exported");
      attributes.set(name, numbers);
    }
    return front_op("OnnxCol2Im", std::move(attributes));
  });
}

}  // namespace mo::onnx
