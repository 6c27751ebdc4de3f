#include "core/registry/extractor.hpp"
#include "frontends/onnx/extractors/window_attributes.hpp"

namespace mo::onnx {
namespace {

/// A convolution as a front-only op: window attributes and `group`.
Expected<Op> front_convolution(const FrameworkNode& node, std::string_view name, std::string_view group_attribute = "group") {
  MO_ASSIGN(const Window window, read_window(node));
  AttributeMap attributes = to_attributes(window);
  const auto group = node.attr<std::int64_t>(group_attribute, 1);
  if (group < 1)
    return node.error("MO-ONNX-0102", "{} is {}, which is not positive", group_attribute, group).hint("check how the model was exported");
  attributes.set("group", group);
  return front_op(name, std::move(attributes));
}

/// With output_shape the pads follow from it. Where an odd one goes: ConvTranspose-1 puts it at the beginning for SAME_UPPER and at the end
/// otherwise, ConvTranspose-11 the other way round.
Expected<Op> transposed_convolution(const FrameworkNode& node, bool upper_has_odd_pad_first) {
  MO_ASSIGN(Op op, front_convolution(node, "OnnxConvTranspose"));
  MO_ASSIGN(const ops::AutoPad auto_pad, read_auto_pad(node));
  MO_TRY(op.set_attribute("odd_pad_first", (auto_pad == ops::AutoPad::same_upper) == upper_has_odd_pad_first));
  for (const std::string_view name : {"output_padding", "output_shape"}) {
    const auto numbers = node.attr<std::vector<std::int64_t>>(name, {});
    for (const std::int64_t number : numbers)
      if (number < 0) return node.error("MO-ONNX-0102", "{} has the number {}", name, number).hint("check how the model was exported");
    MO_TRY(op.set_attribute(name, numbers));
  }
  return op;
}

Expected<Op> deformable_convolution(const FrameworkNode& node) {
  MO_ASSIGN(Op op, front_convolution(node, "OnnxDeformConv"));
  const auto offset_group = node.attr<std::int64_t>("offset_group", 1);
  if (offset_group < 1)
    return node.error("MO-ONNX-0102", "offset_group is {}, which is not positive", offset_group).hint("check how the model was exported");
  MO_TRY(op.set_attribute("offset_group", offset_group));
  return op;
}

}  // namespace

/// Bias and groups make several ops of one convolution: front-only ops for extensions/front/onnx/convolution.cpp. The versions of
/// each op but ConvTranspose differ in element types and wording only.
void register_convolution(ExtractorTable& table) {
  table.add("Conv", since(1), [](const FrameworkNode& node) { return front_convolution(node, "OnnxConv"); });
  table.add("ConvInteger", since(10), [](const FrameworkNode& node) { return front_convolution(node, "OnnxConvInteger"); });
  table.add("QLinearConv", since(10), [](const FrameworkNode& node) { return front_convolution(node, "OnnxQLinearConv"); });
  table.add("ConvTranspose", versions(1, 10), [](const FrameworkNode& node) { return transposed_convolution(node, true); });
  table.add("ConvTranspose", since(11), [](const FrameworkNode& node) { return transposed_convolution(node, false); });
  table.add("DeformConv", since(19), deformable_convolution);
}

}  // namespace mo::onnx
