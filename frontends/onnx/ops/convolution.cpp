#include "ops/convolution.hpp"

#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "frontends/onnx/ops/support/window.hpp"
#include "ops/deformable_convolution.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::onnx {
namespace {

/// Error MO-ONNX-0102 for a number of groups that is not positive.
Expected<std::int64_t> groups_of(const FrameworkNode& node, std::string_view attribute = "group") {
  const auto groups = node.attr<std::int64_t>(attribute, 1);
  if (groups < 1) return node.error("MO-ONNX-0102", "{} is {}, which is not positive", attribute, groups).hint("check how the model was exported");
  return groups;
}

Value with_bias(Rewriter& rw, const Value& result, const Value& bias, std::size_t spatial_rank) {
  return bias ? rw.create(ops::Add{}, result, per_channel(rw, bias, spatial_rank)) : result;
}

/// A number per tensor stays; a number per output channel is aligned with the filters [O, I, spatial…].
Value per_filter(Rewriter& rw, const Value& numbers, std::size_t spatial_rank) {
  if (!numbers || has_one_element(numbers)) return numbers;
  return along_axis(rw, numbers, {}, -static_cast<std::int64_t>(spatial_rank) - 2);
}

/// A number per tensor stays; a number per output channel is aligned with the result [N, O, spatial…].
Value per_result_channel(Rewriter& rw, const Value& numbers, std::size_t spatial_rank) {
  return !numbers || has_one_element(numbers) ? numbers : per_channel(rw, numbers, spatial_rank);
}

/// Conv(x, w, b) -> Convolution(x, w) + b
Replacement conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Window window, convolution_window(node, node.input(1)));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  return with_bias(rw, convolve(rw, node.input(0), node.input(1), window, groups), node.input(2), window.spatial_rank());
}

/// ConvInteger(x, w, x_zero, w_zero) -> Convolution(x - x_zero, w - w_zero) in i32, which is exact
Replacement conv_integer(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  MO_ASSIGN(const Window window, convolution_window(node, node.input(1)));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  const Value x = without_zero_point(rw, node.input(0), node.input(2), ElementType::i32);
  const Value filters = without_zero_point(rw, node.input(1), per_filter(rw, node.input(3), window.spatial_rank()), ElementType::i32);
  return convolve(rw, x, filters, window, groups);
}

/// QLinearConv -> the convolution of (x - x_zero) and (w - w_zero) in units of x_scale * w_scale, plus the bias, which has these units,
/// rescaled to units of y_scale. The sums are integers, which f32 holds exactly up to 2^24; runtimes convolve f32, not i32.
Replacement qlinear_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(8));
  MO_ASSIGN(const Window window, convolution_window(node, node.input(3)));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  const ElementType type = node.input_type(7).element_type;
  if (!is_quantized_type(type))
    return node.error("MO-ONNX-0150", "y_zero_point is {}, which is no integer of 4, 8 or 16 bits", to_string(type))
        .hint("QLinearConv-10 takes int8 and uint8; check how the model was exported");
  const std::size_t axes = window.spatial_rank();
  const Value x = without_zero_point(rw, node.input(0), node.input(2), ElementType::f32);
  const Value filters = without_zero_point(rw, node.input(3), per_filter(rw, node.input(5), axes), ElementType::f32);
  Value sum = convolve(rw, x, filters, window, groups);
  if (node.input(8)) sum = rw.create(ops::Add{}, sum, per_channel(rw, as_type(rw, node.input(8), ElementType::f32), axes));
  const Value units = rw.create(ops::Multiply{}, node.input(1), per_result_channel(rw, node.input(4), axes));
  const Value scale = rw.create(ops::Divide{}, units, node.input(6));
  return round_to(rw, rw.create(ops::Multiply{}, sum, scale), node.input(7), type);
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
  const Value result = rw.create(ops::v8::DeformableConvolution{.strides = window.strides,
                                                                .pads_begin = window.pads_begin,
                                                                .pads_end = window.pads_end,
                                                                .dilations = window.dilations,
                                                                .auto_pad = window.auto_pad,
                                                                .group = groups,
                                                                .deformable_group = offset_groups,
                                                                .bilinear_interpolation_pad = true},
                                 inputs);
  return with_bias(rw, result, node.input(3), 2);
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
