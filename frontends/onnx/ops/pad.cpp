#include "core/registry/operator_table.hpp"

namespace mo::onnx {
namespace {

/// `name`: where the numbers are, "paddings" in opset 1 and "pads" in opset 2.
Expected<Op> extract_pad_of_attributes(const FrameworkNode& node, std::string_view name) {
  const auto pads = node.required<std::vector<std::int64_t>>(name);
  if (node.failure()) return *node.failure();
  if (pads.size() % 2 != 0)
    return node.error("MO-ONNX-0212", "there are {} numbers of padding", pads.size())
        .hint("there is one for the begin and one for the end of each dimension");
  return front_op("OnnxPad", {{"mode", node.attr("mode", "constant")}, {"pads", pads}, {"value", node.attr("value", 0.0)}});
}

Expected<Op> extract_pad(const FrameworkNode& node) { return front_op("OnnxPad", {{"mode", node.attr("mode", "constant")}}); }

}  // namespace

void register_pad(OperatorTable& table) {
  table.extract("Pad", versions(1, 1), [](const FrameworkNode& node) { return extract_pad_of_attributes(node, "paddings"); });
  table.extract("Pad", versions(2, 10), [](const FrameworkNode& node) { return extract_pad_of_attributes(node, "pads"); });
  // Inputs: data, pads, value, and from opset 18 on the axes that are padded. Opset 19 brought the mode wrap.
  table.extract("Pad", versions(11, 17), extract_pad);
  table.extract("Pad", since(18), extract_pad);
  table.extract("CenterCropPad", since(18), [](const FrameworkNode& node) -> Expected<Op> {
    if (const auto axes = node.optional_attr<std::vector<std::int64_t>>("axes")) return front_op("OnnxCenterCropPad", {{"axes", *axes}});
    return front_op("OnnxCenterCropPad");
  });
}

}  // namespace mo::onnx
