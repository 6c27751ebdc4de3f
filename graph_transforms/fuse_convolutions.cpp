#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/convolution_fusing.hpp"

namespace mo::graph_transforms {

/// All that resizes or pads before a Conv2D, under the name that the original's guide gives it:
/// `fuse_resize_pad_and_conv`, `fuse_resize_and_conv` and `fuse_pad_and_conv`, the longest pattern first.
void register_fuse_convolutions(TransformRegistry& registry) {
  registry.register_transform("fuse_convolutions",
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                MO_TRY(fuse_resize_pad_and_conv(graph, context));
                                MO_TRY(fuse_resize_and_conv(graph, context));
                                return fuse_pad_and_conv(graph, context);
                              });
  registry.describe("fuse_convolutions",
                    {"Does fuse_resize_pad_and_conv, fuse_resize_and_conv and fuse_pad_and_conv", {}});
}

}  // namespace mo::graph_transforms
