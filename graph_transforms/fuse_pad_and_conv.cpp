#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/convolution_fusing.hpp"

namespace mo::graph_transforms {
namespace {

Expected<bool> fuse_pad(const NodeMatch& match, GraphEditor& editor) {
  const Node convolution = match.node;
  const Node pad = match.inputs[0].node;
  if (!is_plain_convolution(convolution)) return false;
  AttributeMap attributes;
  MO_TRY(copy_attribute(pad, "mode", attributes));
  for (const std::string_view name : {"T", "padding", "strides"}) MO_TRY(copy_attribute(convolution, name, attributes));
  const std::string name = editor.free_name(std::string(convolution.name()) + "_fused");
  const Node fused =
      editor.create("FusedPadConv2D", name, {pad.input(0), pad.input(1), convolution.input(1)}, std::move(attributes));
  editor.replace(convolution, fused);
  return true;
}

}  // namespace

Expected<void> fuse_pad_and_conv(Graph& graph, const TransformFuncContext& context) {
  GraphEditor editor(graph, context);
  MO_TRY(
      replace_all_matching_op_types(editor, {"Conv2D", {{"MirrorPad", {{"*", {}}, {"*", {}}}}, {"*", {}}}}, fuse_pad));
  return fuse_zero_paddings(editor);
}

/// Conv2D(MirrorPad(x, paddings), filter) -> FusedPadConv2D(x, paddings, filter); zeros of Pad and PadV2 become the
/// convolution's own padding.
void register_fuse_pad_and_conv(TransformRegistry& registry) {
  registry.register_transform("fuse_pad_and_conv", fuse_pad_and_conv);
  registry.describe("fuse_pad_and_conv",
                    {"Fuses MirrorPad into the Conv2D after it, and zeros of Pad into its explicit paddings", {}});
}

}  // namespace mo::graph_transforms
