#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/convolution_fusing.hpp"

namespace mo::graph_transforms {
namespace {

Expected<bool> fuse_resize(const NodeMatch& match, GraphEditor& editor) {
  const Node convolution = match.node;
  const Node resize = match.inputs[0].node;
  if (!is_plain_convolution(convolution) || resize.attr<bool>("half_pixel_centers").value_or(false) ||
      resize.in_port_count() != 2)
    return false;
  AttributeMap attributes;
  MO_TRY(copy_attribute(resize, "align_corners", attributes, "resize_align_corners"));
  attributes.set("mode", "REFLECT");
  for (const std::string_view name : {"T", "padding", "strides"}) MO_TRY(copy_attribute(convolution, name, attributes));
  const std::string name(convolution.name());
  const Tensor none = Tensor::of<std::int32_t>({4, 2}, std::vector<std::int32_t>(8, 0));
  const Node paddings = editor.create_constant(editor.free_name(name + "_dummy_paddings"), none);
  const Node fused =
      editor.create("FusedResizeAndPadConv2D", editor.free_name(name + "_fused"),
                    {resize.input(0), resize.input(1), paddings.output(), convolution.input(1)}, std::move(attributes));
  editor.replace(convolution, fused);
  return true;
}

}  // namespace

Expected<void> fuse_resize_and_conv(Graph& graph, const TransformFuncContext& context) {
  GraphEditor editor(graph, context);
  MO_TRY(replace_all_matching_op_types(editor, {"Conv2D", {{"ResizeBilinear", {}}, {"*", {}}}}, fuse_resize));
  return {};
}

/// Conv2D(ResizeBilinear(x, size), filter) -> FusedResizeAndPadConv2D(x, size, no paddings, filter)
void register_fuse_resize_and_conv(TransformRegistry& registry) {
  registry.register_transform("fuse_resize_and_conv", fuse_resize_and_conv);
  registry.describe("fuse_resize_and_conv", {"Fuses ResizeBilinear into the Conv2D after it", {}});
}

}  // namespace mo::graph_transforms
