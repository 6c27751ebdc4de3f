#include "frontends/onnx/ops/support/convolution.hpp"

#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::onnx {
namespace {

/// A number per tensor stays; a number per output channel is aligned with the result [N, O, spatial…].
Value per_result_channel(Rewriter& rw, const Value& numbers, std::size_t spatial_rank) {
  return !numbers || has_one_element(numbers) ? numbers : per_channel(rw, numbers, spatial_rank);
}

}  // namespace

Expected<std::int64_t> groups_of(const FrameworkNode& node, std::string_view attribute) {
  const auto groups = node.attr<std::int64_t>(attribute, 1);
  if (groups < 1)
    return node.error("MO-ONNX-0102", "{} is {}, which is not positive", attribute, groups)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return groups;
}

Expected<void> check_bias(const FrameworkNode& node, const Value& bias, const Dimension& channels) {
  const auto count = type_of(bias).shape.element_count();
  if (!bias || !count || !channels.is_known() || channels == Dimension(*count)) return {};
  return node.error("MO-ONNX-0477", "the bias has {} elements, the result {} channels", *count, channels.value())
      .hint("the bias has one value for each filter; export the model again");
}

Value with_channel_bias(Rewriter& rw, const Value& result, const Value& bias, std::size_t spatial_rank) {
  return bias ? rw.create(ops::Add{}, result, per_channel(rw, bias, spatial_rank)) : result;
}

Value per_filter(Rewriter& rw, const Value& numbers, std::size_t spatial_rank) {
  if (!numbers || has_one_element(numbers)) return numbers;
  return along_axis(rw, numbers, {}, -static_cast<std::int64_t>(spatial_rank) - 2);
}

Expected<Value> make_convolution(const FrameworkNode& node, Rewriter& rw, const Value& x, const Value& filters,
                                 const Value& bias) {
  MO_ASSIGN(const Window window, convolution_window(node, filters));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  if (const PartialShape& shape = filters.type().shape; shape.has_rank()) MO_TRY(check_bias(node, bias, shape[0]));
  return with_channel_bias(rw, convolve(rw, x, filters, window, groups), bias, window.spatial_rank());
}

/// The convolution of (x - x_zero) and (w - w_zero) in units of x_scale * w_scale, plus the bias, which has these
/// units, rescaled to units of y_scale. The sums are integers, which f32 holds exactly up to 2^24; runtimes convolve
/// f32, not i32.
Expected<Value> make_quantized_convolution(const FrameworkNode& node, Rewriter& rw, const Value& data) {
  MO_ASSIGN(const Window window, convolution_window(node, node.input(3)));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  const ElementType type = node.input_type(7).element_type;
  if (!is_quantized_type(type))
    return node.error("MO-ONNX-0150", "y_zero_point is {}, which is not an integer of 4, 8 or 16 bits", to_string(type))
        .hint("QLinearConv-10 takes int8 and uint8; quantise the model again");
  const std::size_t axes = window.spatial_rank();
  const Value x = without_zero_point(rw, data, node.input(2), ElementType::f32);
  const Value filters =
      weights_without_zero_point(rw, node.input(3), per_filter(rw, node.input(5), axes), ElementType::f32);
  Value sum = convolve(rw, x, filters, window, groups);
  if (node.input(8))
    sum = rw.create(ops::Add{}, sum, per_channel(rw, as_type(rw, node.input(8), ElementType::f32), axes));
  const Value units = rw.create(ops::Multiply{}, node.input(1), per_result_channel(rw, node.input(4), axes));
  const Value scale = rw.create(ops::Divide{}, units, node.input(6));
  return round_to(rw, rw.create(ops::Multiply{}, sum, scale), node.input(7), type);
}

}  // namespace mo::onnx
