#include "core/registry/extractor.hpp"

namespace mo::onnx {

void register_determinant(ExtractorTable& table) {
  table.add("Det", since(11), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxDet"); });
}

}  // namespace mo::onnx
