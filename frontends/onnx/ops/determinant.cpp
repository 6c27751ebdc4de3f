#include "core/registry/operator_table.hpp"

namespace mo::onnx {

void register_determinant(OperatorTable& table) {
  table.extract("Det", since(11), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxDet"); });
}

}  // namespace mo::onnx
