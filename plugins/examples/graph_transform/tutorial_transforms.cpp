#include <mo/plugin.hpp>

/// The two transforms that the Graph Transform Tool's own guide explains, as transforms of a plugin:
///
///   transform_graph --extensions=libtutorial_transforms.so --in_graph=graph.pbtxt --out_graph=out.pb \
///     --transforms='tutorial_rename_op(old_op_name=Mul, new_op_name=Multiply) tutorial_fuse_resize_and_conv'
namespace tutorial {

namespace gt = mo::graph_transforms;

/// Node by node: each Mul becomes a Multiply.
mo::Expected<void> rename_op(mo::Graph& graph, const gt::TransformFuncContext& context) {
  MO_ASSIGN(const std::string old_op, context.required_string("old_op_name"));
  MO_ASSIGN(const std::string new_op, context.required_string("new_op_name"));
  gt::GraphEditor editor(graph, context);
  for (const mo::Node node : graph.nodes())
    if (gt::op_of(node) == old_op) editor.set_op(node, new_op);
  return {};
}

/// For each match of the pattern below: the convolution resizes by itself. It pads, too, so it gets paddings of zero.
mo::Expected<bool> fuse(const gt::NodeMatch& match, gt::GraphEditor& editor) {
  const mo::Node& conv = match.node;
  const mo::Node& resize = match.inputs[0].node;
  const std::string name(conv.name());

  const mo::Tensor zeros = mo::Tensor::of<std::int32_t>({4, 2}, std::vector<std::int32_t>(8, 0));
  const mo::Node paddings = editor.create_constant(name + "_dummy_paddings", zeros);

  mo::AttributeMap attributes{{"resize_align_corners", resize.attribute("align_corners")}, {"mode", "REFLECT"}};
  for (const char* attribute : {"T", "padding", "strides"}) attributes.set(attribute, conv.attribute(attribute));
  const mo::Node fused =
      editor.create("FusedResizeAndPadConv2D", name + "_fused",
                    {resize.input(0), resize.input(1), paddings.output(), conv.input(1)}, attributes);

  // Takes over name and readers; nodes left without readers are erased automatically.
  editor.replace(conv, fused);
  return true;
}

/// By a pattern: a Conv2D of what a ResizeBilinear gives.
mo::Expected<void> fuse_resize_and_conv(mo::Graph& graph, const gt::TransformFuncContext& context) {
  const gt::OpTypePattern pattern{"Conv2D",
                                  {
                                      {"ResizeBilinear", {}},
                                      {"*", {}},
                                  }};
  gt::GraphEditor editor(graph, context);
  MO_TRY(gt::replace_matching_op_types(editor, pattern, fuse));
  return {};
}

}  // namespace tutorial

MO_PLUGIN("tutorial-transforms", "1.0.0", [](mo::Registry& registry) {
  mo::graph_transforms::register_transform(registry, "tutorial_rename_op", tutorial::rename_op);
  mo::graph_transforms::register_transform(registry, "tutorial_fuse_resize_and_conv", tutorial::fuse_resize_and_conv);
});
