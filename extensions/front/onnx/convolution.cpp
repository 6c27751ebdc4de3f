#include "ops/convolution.hpp"

#include "extensions/support/front.hpp"
#include "extensions/support/quantize.hpp"
#include "extensions/support/window.hpp"
#include "ops/convert.hpp"
#include "ops/deformable_convolution.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::front::onnx {
namespace {

std::int64_t groups_of(const Node& node) { return node.attr<std::int64_t>("group").value_or(1); }

Value with_bias(Rewriter& rw, const Value& result, const Value& bias, std::size_t spatial_rank) {
  return bias ? rw.create(ops::Add{}, result, per_channel(rw, bias, spatial_rank)) : result;
}

/// A number per tensor stays; a number per output channel of the filters is aligned with `rank` dimensions, channels at `axis`.
Value per_filter(Rewriter& rw, const Value& numbers, std::size_t spatial_rank, bool in_result) {
  if (!numbers || has_one_element(numbers)) return numbers;
  if (in_result) return per_channel(rw, numbers, spatial_rank);
  std::vector<std::int64_t> shape = {-1, 1};
  shape.insert(shape.end(), spatial_rank, 1);
  return along_axis(rw, numbers, {}, -static_cast<std::int64_t>(shape.size()));
}

/// Conv(x, w, b) -> Convolution(x, w) + b
Replacement conv(const Node& node, Rewriter& rw) {
  auto window = convolution_window(node, node.input(1));
  if (!window) return std::move(window).error();
  const Value result = convolve(rw, node.input(0), node.input(1), *window, groups_of(node));
  return with_bias(rw, result, node.input(2), window->spatial_rank());
}

/// ConvInteger(x, w, x_zero, w_zero) -> Convolution(x - x_zero, w - w_zero) in i32, which is exact
Replacement conv_integer(const Node& node, Rewriter& rw) {
  auto window = convolution_window(node, node.input(1));
  if (!window) return std::move(window).error();
  const Value x = without_zero_point(rw, node.input(0), node.input(2), ElementType::i32);
  const Value filters = without_zero_point(rw, node.input(1), per_filter(rw, node.input(3), window->spatial_rank(), false), ElementType::i32);
  return convolve(rw, x, filters, *window, groups_of(node));
}

/// QLinearConv -> the convolution of (x - x_zero) and (w - w_zero) in units of x_scale * w_scale, plus the bias, which has these units,
/// rescaled to units of y_scale. The sums are integers, which f32 holds exactly up to 2^24; runtimes convolve f32, not i32.
Replacement qlinear_conv(const Node& node, Rewriter& rw) {
  auto window = convolution_window(node, node.input(3));
  if (!window) return std::move(window).error();
  const ElementType type = known_type(node.input(7)).element_type;
  if (!is_quantized_type(type))
    return node.error("MO-ONNX-0150", "the element type of y_zero_point is not known or not an 8-bit integer")
        .hint("make the zero point a constant of the model");
  const std::size_t axes = window->spatial_rank();
  const Value x = without_zero_point(rw, node.input(0), node.input(2), ElementType::f32);
  const Value filters = without_zero_point(rw, node.input(3), per_filter(rw, node.input(5), axes, false), ElementType::f32);
  Value sum = convolve(rw, x, filters, *window, groups_of(node));
  if (node.input(8)) sum = rw.create(ops::Add{}, sum, per_channel(rw, as_type(rw, node.input(8), ElementType::f32), axes));
  const Value scale = rw.create(ops::Divide{}, rw.create(ops::Multiply{}, node.input(1), per_filter(rw, node.input(4), axes, true)), node.input(6));
  return round_to(rw, rw.create(ops::Multiply{}, sum, scale), node.input(7), type);
}

/// DeformConv(x, w, offset, b, mask) -> DeformableConvolution(x, offset, w, mask) + b. Both read samples less than one element outside of
/// the data as interpolated with zeros.
Replacement deform_conv(const Node& node, Rewriter& rw) {
  auto window = convolution_window(node, node.input(1));
  if (!window) return std::move(window).error();
  if (window->spatial_rank() != 2)
    return node.error("MO-ONNX-0107", "a deformable convolution with {} spatial axes cannot be expressed", window->spatial_rank())
        .hint("only 2-D data is possible");
  std::vector<Value> inputs = {node.input(0), node.input(2), node.input(1)};
  if (node.input(4)) inputs.push_back(node.input(4));
  const Value result = rw.create(ops::v8::DeformableConvolution{.strides = window->strides,
                                                                .pads_begin = window->pads_begin,
                                                                .pads_end = window->pads_end,
                                                                .dilations = window->dilations,
                                                                .auto_pad = window->auto_pad,
                                                                .group = groups_of(node),
                                                                .deformable_group = node.attr<std::int64_t>("offset_group").value_or(1),
                                                                .bilinear_interpolation_pad = true},
                                 inputs);
  return with_bias(rw, result, node.input(3), 2);
}

}  // namespace

void register_convolution(PassRegistry& passes) {
  // Filters behind DequantizeLinear tell their shape as long as that is one node.
  passes.add(front_replacement_op("OnnxConv").run_before({"OnnxDequantizeLinear", "OnnxQuantizeLinear"}).replace_op(conv));
  passes.add(front_replacement_op("OnnxConvInteger").replace_op(conv_integer));
  passes.add(front_replacement_op("OnnxQLinearConv").replace_op(qlinear_conv));
  passes.add(front_replacement_op("OnnxDeformConv").replace_op(deform_conv));
}

}  // namespace mo::front::onnx
