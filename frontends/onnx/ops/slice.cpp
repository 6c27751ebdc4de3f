#include "core/registry/operator_table.hpp"

namespace mo::onnx {

void register_slice(OperatorTable& table) {
  // ONNX Slice-1: attributes, and steps of one.
  table.extract("Slice", versions(1, 9), [](const FrameworkNode& node) -> Expected<Op> {
    const auto starts = node.required<std::vector<std::int64_t>>("starts");
    const auto ends = node.required<std::vector<std::int64_t>>("ends");
    const auto axes = node.optional_attr<std::vector<std::int64_t>>("axes");
    if (node.failure()) return *node.failure();
    if (starts.size() != ends.size() || (axes && axes->size() != starts.size()))
      return node.error("MO-ONNX-0210", "there are {} starts, {} ends and {} axes", starts.size(), ends.size(), axes ? axes->size() : starts.size())
          .hint("each sliced axis has one start and one end");
    AttributeMap attributes{{"starts", starts}, {"ends", ends}};
    if (axes) attributes.set("axes", *axes);
    return front_op("OnnxSlice", std::move(attributes));
  });
  table.extract("Slice", since(10), [](const FrameworkNode&) -> Expected<Op> { return front_op("OnnxSlice"); });
}

}  // namespace mo::onnx
