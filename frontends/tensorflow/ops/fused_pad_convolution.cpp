#include "frontends/tensorflow/ops/support/convolution.hpp"
#include "frontends/tensorflow/ops/support/padding.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/interpolate.hpp"

namespace mo::tensorflow {
namespace {

/// FusedPadConv2D(x, paddings, filter) -> Conv2D(MirrorPad(x, paddings), filter)
Replacement padded_convolution(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const Value padded, mirror_padded(node, rw, node.input(0), node.input(1)));
  MO_ASSIGN(const SpatialWindow window, convolution_window(node, 2));
  return convolved(rw, padded, node.input(2), window, false);
}

/// FusedResizeAndPadConv2D(x, size, paddings, filter) -> Conv2D(MirrorPad(ResizeBilinear(x, size), paddings), filter)
Replacement resized_convolution(const FrameworkNode& node, Rewriter& rw) {
  using Coordinates = ops::InterpolateCoordinateMode;
  MO_TRY(node.expect_inputs(4));
  ops::Interpolate resize;
  resize.mode = ops::reference::InterpolateMode::linear_onnx;
  resize.coordinate_transformation_mode =
      node.attr("resize_align_corners", false) ? Coordinates::align_corners : Coordinates::asymmetric;
  const Value resized = rw.create(resize, node.input(0), node.input(1), rw.integers({1, 2}));
  MO_ASSIGN(const Value padded, mirror_padded(node, rw, resized, node.input(2)));
  MO_ASSIGN(const SpatialWindow window, convolution_window(node, 2));
  return convolved(rw, padded, node.input(3), window, false);
}

}  // namespace

void register_fused_pad_convolution(OperatorTable& table) {
  table.translate("FusedPadConv2D", padded_convolution);
  table.translate("FusedResizeAndPadConv2D", resized_convolution);
}

}  // namespace mo::tensorflow
