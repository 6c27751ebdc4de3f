#include "frontends/onnx/ops/support/convolution.hpp"

#include "frontends/onnx/ops/support/openvino_domain.hpp"
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
  const Value filters = weights_without_zero_point(
      rw, node.input(1), per_filter(rw, node.input(3), window.spatial_rank()), ElementType::i32);
  return convolve(rw, x, filters, window, groups);
}

Replacement qlinear_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(8));
  MO_ASSIGN(const Value y, make_quantized_convolution(node, rw, node.input(0)));
  return y;
}

/// The inputs of a deformable convolution; mask and bias may be empty.
struct DeformableInputs {
  Value data;
  Value offsets;
  Value filters;
  Value mask;
  Value bias;
};

/// `pads_smoothly`: a sample less than one element outside of the data is interpolated with zeros instead of being 0.
Replacement deformable_convolution(const FrameworkNode& node, Rewriter& rw, const DeformableInputs& inputs,
                                   std::string_view offset_groups, bool pads_smoothly) {
  MO_ASSIGN(const Window window, convolution_window(node, inputs.filters));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  MO_ASSIGN(const std::int64_t deformable_groups, groups_of(node, offset_groups));
  if (window.spatial_rank() != 2)
    return node
        .error("MO-ONNX-0107", "a deformable convolution with {} spatial axes cannot be expressed",
               window.spatial_rank())
        .hint("only 2-D data is possible");
  std::vector<Value> connected = {inputs.data, inputs.offsets, inputs.filters};
  if (inputs.mask) connected.push_back(inputs.mask);
  const Value result = rw.create(ops::v8::DeformableConvolution{{.strides = window.strides,
                                                                 .pads_begin = window.pads_begin,
                                                                 .pads_end = window.pads_end,
                                                                 .dilations = window.dilations,
                                                                 .auto_pad = window.auto_pad,
                                                                 .group = groups,
                                                                 .deformable_group = deformable_groups},
                                                                pads_smoothly},
                                 connected);
  return with_channel_bias(rw, result, inputs.bias, 2);
}

/// DeformConv(x, w, offset, b, mask) -> DeformableConvolution(x, offset, w, mask) + b
Replacement deform_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const DeformableInputs inputs{node.input(0), node.input(2), node.input(1), node.input(4), node.input(3)};
  return deformable_convolution(node, rw, inputs, "offset_group", true);
}

/// The IR's op as it is: DeformableConv2D(x, offset, w, mask)
Replacement deformable_conv_2d(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const DeformableInputs inputs{node.input(0), node.input(1), node.input(2), node.input(3), {}};
  return deformable_convolution(node, rw, inputs, "deformable_groups", false);
}

}  // namespace

/// The versions of each op differ in element types and wording only.
void register_convolution(OperatorTable& table) {
  table.translate("Conv", since(1), conv);
  table.translate("ConvInteger", since(10), conv_integer);
  table.translate("QLinearConv", since(10), qlinear_conv);
  table.translate("DeformConv", since(19), deform_conv);
  translate_openvino(table, "DeformableConv2D", deformable_conv_2d);
}

}  // namespace mo::onnx
