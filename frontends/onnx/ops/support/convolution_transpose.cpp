#include "ops/convolution.hpp"

#include "frontends/onnx/ops/support/convolution.hpp"
#include "frontends/onnx/ops/support/translate.hpp"

namespace mo::onnx {
namespace {

/// ONNX ConvTranspose: with auto_pad=SAME_*, the result is stride times as large as the data, so
///   pads in total = stride * (size - 1) + output_padding + dilated kernel - stride * size = dilated kernel +
///   output_padding - stride,
/// of which SAME_UPPER puts the odd one at the end, SAME_LOWER at the beginning. A kernel that is smaller than the
/// stride leaves zeros at the end instead.
Expected<void> make_pads_explicit(const FrameworkNode& node, Window& window,
                                  std::vector<std::int64_t>& output_padding) {
  // The pads are attributes of the IR's op: filters that are inputs of the model, of unknown size, cannot give them.
  if (window.kernel.size() != window.spatial_rank())
    return node
        .error("MO-ONNX-0105",
               "auto_pad needs the size of the kernel, but the shape of the filters is unknown and there is no "
               "attribute for it")
        .hint("export the model with the attribute kernel_shape");
  for (std::size_t i = 0; i < window.spatial_rank(); ++i) {
    const std::int64_t total =
        ops::dilated(window.kernel[i], window.dilations[i]) + output_padding[i] - window.strides[i];
    const std::int64_t half = total > 0 ? total / 2 : 0;
    const std::int64_t rest = total > 0 ? total - half : 0;
    const bool upper = window.auto_pad == ops::AutoPad::same_upper;
    window.pads_begin[i] = upper ? half : rest;
    window.pads_end[i] = upper ? rest : half;
    if (total < 0) output_padding[i] -= total;
  }
  window.auto_pad = ops::AutoPad::explicit_pads;
  return {};
}

template <class T>
T transposed(const Window& window, const std::vector<std::int64_t>& output_padding) {
  return {.strides = window.strides,
          .pads_begin = window.pads_begin,
          .pads_end = window.pads_end,
          .dilations = window.dilations,
          .auto_pad = window.auto_pad,
          .output_padding = output_padding};
}

Expected<std::vector<std::int64_t>> sizes_of(const FrameworkNode& node, std::string_view attribute) {
  auto sizes = node.attr(attribute, std::vector<std::int64_t>{});
  for (const std::int64_t size : sizes)
    if (size < 0)
      return node.error("MO-ONNX-0102", "{} has the value {}", attribute, size)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return sizes;
}

}  // namespace

/// With output_shape the pads follow from it. Where an odd one goes: ConvTranspose-1 puts it at the beginning for
/// SAME_UPPER and at the end otherwise, ConvTranspose-11 the other way round.
Expected<Value> make_transposed_convolution(const FrameworkNode& node, Rewriter& rw, const Value& x,
                                            const Value& filters, const Value& bias) {
  MO_ASSIGN(Window window, convolution_window(node, filters));
  MO_ASSIGN(const std::int64_t groups, groups_of(node));
  if (const PartialShape& shape = filters.type().shape; shape.has_rank())
    MO_TRY(check_bias(node, bias, shape[1] * Dimension(groups)));
  const bool odd_pad_first = (window.auto_pad == ops::AutoPad::same_upper) == (node.version() < 11);
  const std::size_t axes = window.spatial_rank();
  MO_ASSIGN(auto output_padding, sizes_of(node, "output_padding"));
  MO_ASSIGN(auto output_shape, sizes_of(node, "output_shape"));
  if (output_padding.empty()) output_padding.assign(axes, 0);
  // Some exporters write the whole shape, with batch and channels.
  if (output_shape.size() == axes + 2) output_shape.erase(output_shape.begin(), output_shape.begin() + 2);
  if (output_padding.size() != axes || (!output_shape.empty() && output_shape.size() != axes))
    return node
        .error("MO-ONNX-0100", "output_padding or output_shape does not have one value for each of {} spatial axes",
               axes)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (!output_shape.empty()) {
    // Both compute the pads from the shape. In ConvolutionBackpropData the odd one is at the beginning for same_upper,
    // at the end for same_lower: the other way round than in a Convolution.
    window.auto_pad = odd_pad_first ? ops::AutoPad::same_upper : ops::AutoPad::same_lower;
  } else if (window.auto_pad == ops::AutoPad::same_upper || window.auto_pad == ops::AutoPad::same_lower) {
    MO_TRY(make_pads_explicit(node, window, output_padding));
  } else if (window.auto_pad == ops::AutoPad::valid) {
    window.auto_pad = ops::AutoPad::explicit_pads;  // without pads, which read_window has seen to
  }
  std::vector<Value> inputs = {x, groups == 1 ? filters : grouped_filters(rw, filters, groups, axes)};
  if (!output_shape.empty()) inputs.push_back(rw.integers(output_shape));
  const Value result = groups == 1
                           ? rw.create(transposed<ops::ConvolutionBackpropData>(window, output_padding), inputs)
                           : rw.create(transposed<ops::GroupConvolutionBackpropData>(window, output_padding), inputs);
  return with_channel_bias(rw, result, bias, axes);
}

}  // namespace mo::onnx
