#include "extensions/support/front.hpp"
#include "extensions/support/window.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::front::onnx {
namespace {

/// ONNX ConvTranspose: with auto_pad=SAME_*, the result is stride times as large as the data, so
///   pads in total = stride * (size - 1) + output_padding + dilated kernel - stride * size = dilated kernel + output_padding - stride,
/// of which SAME_UPPER puts the odd one at the end, SAME_LOWER at the beginning. A kernel that is smaller than the stride leaves zeros at
/// the end instead.
Expected<void> make_pads_explicit(const Node& node, Window& window, std::vector<std::int64_t>& output_padding) {
  if (window.kernel.size() != window.spatial_rank())
    return node.error("MO-ONNX-0105", "auto_pad needs the size of the kernel, but the filters are computed, and no attribute tells it")
        .hint("export the model with the attribute kernel_shape");
  for (std::size_t i = 0; i < window.spatial_rank(); ++i) {
    const std::int64_t total = ops::dilated(window.kernel[i], window.dilations[i]) + output_padding[i] - window.strides[i];
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

/// ConvTranspose(x, w, b) -> ConvolutionBackpropData(x, w) + b
Replacement conv_transpose(const Node& node, Rewriter& rw) {
  auto window = convolution_window(node, node.input(1));
  if (!window) return std::move(window).error();
  const std::size_t axes = window->spatial_rank();
  auto output_padding = node.attr<std::vector<std::int64_t>>("output_padding").value_or(std::vector<std::int64_t>{});
  auto output_shape = node.attr<std::vector<std::int64_t>>("output_shape").value_or(std::vector<std::int64_t>{});
  if (output_padding.empty()) output_padding.assign(axes, 0);
  // Some exporters write the whole shape, with batch and channels.
  if (output_shape.size() == axes + 2) output_shape.erase(output_shape.begin(), output_shape.begin() + 2);
  if (output_padding.size() != axes || (!output_shape.empty() && output_shape.size() != axes))
    return node.error("MO-ONNX-0100", "output_padding or output_shape does not have one number for each of {} spatial axes", axes)
        .hint("check how the model was exported");
  if (!output_shape.empty()) {
    // Both compute the pads from the shape. In ConvolutionBackpropData the odd one is at the beginning for same_upper, at the end for
    // same_lower: the other way round than in a Convolution.
    window->auto_pad = node.attr<bool>("odd_pad_first").value_or(true) ? ops::AutoPad::same_upper : ops::AutoPad::same_lower;
  } else if (window->auto_pad == ops::AutoPad::same_upper || window->auto_pad == ops::AutoPad::same_lower) {
    if (auto done = make_pads_explicit(node, *window, output_padding); !done) return std::move(done).error();
  } else if (window->auto_pad == ops::AutoPad::valid) {
    window->auto_pad = ops::AutoPad::explicit_pads;  // without pads, which the extractor has seen to
  }
  const std::int64_t groups = node.attr<std::int64_t>("group").value_or(1);
  std::vector<Value> inputs = {node.input(0), groups == 1 ? node.input(1) : grouped_filters(rw, node.input(1), groups, axes)};
  if (!output_shape.empty()) inputs.push_back(rw.integers(output_shape));
  const Value result = groups == 1 ? rw.create(transposed<ops::ConvolutionBackpropData>(*window, output_padding), inputs)
                                   : rw.create(transposed<ops::GroupConvolutionBackpropData>(*window, output_padding), inputs);
  return node.input(2) ? rw.create(ops::Add{}, result, per_channel(rw, node.input(2), axes)) : result;
}

}  // namespace

void register_convolution_transpose(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxConvTranspose").run_before({"OnnxDequantizeLinear", "OnnxQuantizeLinear"}).replace_op(conv_transpose));
}

}  // namespace mo::front::onnx
