#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/convolution_fusing.hpp"

namespace mo::graph_transforms {
namespace {

Expected<bool> fuse_resize_and_pad(const NodeMatch& match, GraphEditor& editor) {
  const Node convolution = match.node;
  const Node pad = match.inputs[0].node;
  const Node resize = match.inputs[0].inputs[0].node;
  if (!is_plain_convolution(convolution) || resize.attr<bool>("half_pixel_centers").value_or(false) ||
      resize.in_port_count() != 2)
    return false;
  AttributeMap attributes;
  MO_TRY(copy_attribute(resize, "align_corners", attributes, "resize_align_corners"));
  MO_TRY(copy_attribute(pad, "mode", attributes));
  for (const std::string_view name : {"T", "padding", "strides"}) MO_TRY(copy_attribute(convolution, name, attributes));
  const Node fused =
      editor.create("FusedResizeAndPadConv2D", editor.free_name(std::string(convolution.name()) + "_fused"),
                    {resize.input(0), resize.input(1), pad.input(1), convolution.input(1)}, std::move(attributes));
  editor.replace(convolution, fused);
  return true;
}

}  // namespace

Expected<void> fuse_resize_pad_and_conv(Graph& graph, const TransformFuncContext& context) {
  GraphEditor editor(graph, context);
  const OpTypePattern pattern{"Conv2D", {{"MirrorPad", {{"ResizeBilinear", {}}, {"*", {}}}}, {"*", {}}}};
  MO_TRY(replace_all_matching_op_types(editor, pattern, fuse_resize_and_pad));
  return fuse_zero_paddings(editor, "ResizeBilinear");
}

/// Conv2D(MirrorPad(ResizeBilinear(x, size), paddings), filter) -> FusedResizeAndPadConv2D(x, size, paddings, filter).
/// That op has no zeros to pad with: those of Pad and PadV2 become the convolution's own padding, and the resizing
/// stays.
void register_fuse_resize_pad_and_conv(TransformRegistry& registry) {
  registry.register_transform("fuse_resize_pad_and_conv", fuse_resize_pad_and_conv);
  registry.describe("fuse_resize_pad_and_conv", {"Fuses ResizeBilinear and MirrorPad into the Conv2D after them", {}});
}

}  // namespace mo::graph_transforms
