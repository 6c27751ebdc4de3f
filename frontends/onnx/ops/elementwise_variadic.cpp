#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// Max, Min, Sum and Mean take any number of tensors. Before opset 8 all have one shape, which is a case of
/// numpy's rule for broadcasting.
void register_elementwise_variadic(OperatorTable& table) {
  for (const std::string_view name : {"Max", "Min", "Sum", "Mean"}) {
    const std::string front = "OnnxVariadic" + std::string(name);
    const auto extract = [front](const FrameworkNode& node) -> Expected<Op> {
      node.ignore({"consumed_inputs"});
      if (node.input_count() == 0) return node.error("MO-ONNX-0202", "there is no input").hint("this op needs at least one input");
      return front_op(front);
    };
    table.extract(std::string(name), versions(1, 5), extract);
    table.extract(std::string(name), versions(6, 7), extract);
    table.extract(std::string(name), since(8), extract);
  }
}

}  // namespace mo::onnx
