#include "core/registry/operator_table.hpp"
#include "ops/soft_max.hpp"

namespace mo::onnx {

void register_softmax(OperatorTable& table) {
  // ONNX Softmax-13, LogSoftmax-13: along one axis, which is exactly what SoftMax does.
  table.extract("Softmax", since(13),
            [](const FrameworkNode& node) -> Expected<Op> { return ops::SoftMax{.axis = node.attr<std::int64_t>("axis", -1)}; });
  table.extract("LogSoftmax", since(13),
            [](const FrameworkNode& node) -> Expected<Op> { return ops::LogSoftmax{.axis = node.attr<std::int64_t>("axis", -1)}; });
  // Up to opset 12 the input is seen as a matrix that is split at `axis`: front-only ops, decomposed by a replacer.
  table.extract("Softmax", versions(1, 12), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("SoftmaxOfRows", {{"axis", node.attr<std::int64_t>("axis", 1)}, {"log", false}});
  });
  table.extract("LogSoftmax", versions(1, 12), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("SoftmaxOfRows", {{"axis", node.attr<std::int64_t>("axis", 1)}, {"log", true}});
  });
}

}  // namespace mo::onnx
