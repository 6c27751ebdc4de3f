#include "frontends/onnx/ops/support/window.hpp"

namespace mo::onnx {
namespace {

Expected<Op> extract_max_unpool(const FrameworkNode& node) {
  MO_ASSIGN(const Window window, read_window(node));
  if (window.kernel.empty()) return node.error("MO-ONNX-0103", "kernel_shape is missing").hint("check how the model was exported");
  std::vector<std::int64_t> grown = window.kernel;
  for (std::size_t i = 0; i < grown.size(); ++i) grown[i] -= window.pads_begin[i] + window.pads_end[i];
  return front_op("OnnxMaxUnpool", {{"strides", window.strides}, {"last_window", grown}});
}

}  // namespace

void register_unpool(OperatorTable& table) {
  // Opset 11 only says more about types.
  table.extract("MaxUnpool", versions(9, 10), extract_max_unpool);
  table.extract("MaxUnpool", since(11), extract_max_unpool);
}

}  // namespace mo::onnx
