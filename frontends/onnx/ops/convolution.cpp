#include "frontends/onnx/ops/support/convolution.hpp"

#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/deformable_convolution.hpp"

namespace mo::onnx {
namespace {

/// Conv(x, w, b) -> Convolution(x, w) + b
Replacement conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Value y, make_convolution(node, rw, node.input(0), node.input(1), node.input(2)));
  return y;
}

/// ConvInteger(x, w, x_zero, w_zero) -> Convolution(x - x_zero, w - w_zero) in i32, which is exact
Replacement conv_integer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Window window, convolution_window(node, node.input(1)));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  const Value x = without_zero_point(rw, node.input(0), node.input(2), ElementType::i32);
  const Value filters = weights_without_zero_point(rw, node.input(1), per_filter(rw, node.input(3), window.spatial_rank()), ElementType::i32);
  return convolve(rw, x, filters, window, groups);
}

Replacement qlinear_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(8));
  MO_ASSIGN(const Value y, make_quantized_convolution(node, rw, node.input(0)));
  return y;
}

/// DeformConv(x, w, offset, b, mask) -> DeformableConvolution(x, offset, w, mask) + b. Both read samples less than one element outside of
/// the data as interpolated with zeros.
Replacement deform_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(const Window window, convolution_window(node, node.input(1)));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  MO_ASSIGN(const std::int64_t offset_groups, groups_of(node, "offset_group"));
  if (window.spatial_rank() != 2)
    return node.error("MO-ONNX-0107", "a deformable convolution with {} spatial axes cannot be expressed", window.spatial_rank())
        .hint("only 2-D data is possible");
  std::vector<Value> inputs = {node.input(0), node.input(2), node.input(1)};
  if (node.input(4)) inputs.push_back(node.input(4));
  const Value result = rw.create(ops::v8::DeformableConvolution{{.strides = window.strides,
                                                                 .pads_begin = window.pads_begin,
                                                                 .pads_end = window.pads_end,
                                                                 .dilations = window.dilations,
                                                                 .auto_pad = window.auto_pad,
                                                                 .group = groups,
                                                                 .deformable_group = offset_groups},
                                                                /*bilinear_interpolation_pad=*/true},
                                 inputs);
  return with_channel_bias(rw, result, node.input(3), 2);
}

}  // namespace

/// The versions of each op differ in element types and wording only.
void register_convolution(OperatorTable& table) {
  table.translate("Conv", since(1), conv);
  table.translate("ConvInteger", since(10), conv_integer);
  table.translate("QLinearConv", since(10), qlinear_conv);
  table.translate("DeformConv", since(19), deform_conv);
}

}  // namespace mo::onnx
