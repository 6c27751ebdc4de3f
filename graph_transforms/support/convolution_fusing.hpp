#pragma once

#include "graph_transforms/engine/matching.hpp"

namespace mo::graph_transforms {

/// Copies attributes from one node into the attributes of another: `to` is its name there. Error MO-GTT-0026 when the
/// node lacks one.
Expected<void> copy_attribute(const Node& from, std::string_view name, AttributeMap& attributes,
                              std::string_view to = {});

/// Whether a convolution does what the fused ops do: channels last, no dilation.
bool is_plain_convolution(const Node& convolution);

/// Conv2D(Pad(x, paddings), filter) -> Conv2D(x, filter) with explicit_paddings, in which the convolution has what the
/// fused ops, whose padding is a mirror image, have not. The paddings are constant and those of height and width, PadV2
/// adds zeros, and the convolution does not pad by itself. `padded`: op of x.
Expected<void> fuse_zero_paddings(GraphEditor& editor, std::string_view padded = "*");

/// The transforms of these names.
Expected<void> fuse_pad_and_conv(Graph& graph, const TransformFuncContext& context);
Expected<void> fuse_resize_and_conv(Graph& graph, const TransformFuncContext& context);
Expected<void> fuse_resize_pad_and_conv(Graph& graph, const TransformFuncContext& context);

}  // namespace mo::graph_transforms
