#include "ops/convolution.hpp"

#include <algorithm>
#include <limits>

#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/build/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/reshape.hpp"

namespace mo::caffe {
namespace {

constexpr std::string_view kConvolution = "convolution_param";

/// Window and weights of a convolution.
struct ConvolutionParts {
  Window window;
  Value filters;
  Value bias;  ///< [1, O, 1, …]; empty without one
  std::int64_t group = 1;
  bool transposed = false;
};

/// A list of the window, with one number for each of `axes`. Error MO-CAFFE-0102 when it has another length.
Expected<Integers> window_list(const Layer& layer, std::string_view name, Integers list, std::size_t axes,
                               std::int64_t usual) {
  if (list.empty()) list.push_back(usual);
  if (list.size() == 1) return Integers(axes, list.front());
  if (list.size() == axes) return list;
  return layer.error("MO-CAFFE-0102", "{} has {} values for {} spatial axes", name, list.size(), axes)
      .hint("give one number, or one for each axis");
}

/// All kinds share `convolution_param`. The kernel's list tells the number of spatial axes; when it has one number, the
/// filters do. `depthwise`: forks whose layer is so by its type, with every channel a group of its own unless `group`
/// says otherwise.
Expected<ConvolutionParts> convolution_parts(const Layer& layer, Rewriter& rw, bool transposed, bool depthwise) {
  const bool has_bias = layer.flag("convolution_param.bias_term", true);
  MO_TRY(expect_blobs(layer, has_bias ? 2 : 1));
  MO_ASSIGN(const std::int64_t outputs, size_of(layer, "convolution_param.num_output", 0));
  ConvolutionParts parts;
  parts.transposed = transposed;
  MO_ASSIGN(parts.group, size_of(layer, "convolution_param.group", depthwise ? outputs : 1));
  if (outputs % parts.group != 0)
    return layer.error("MO-CAFFE-0102", "num_output {} does not divide into {} groups", outputs, parts.group)
        .hint("correct the prototxt");
  MO_ASSIGN(const Integers kernel, window_numbers(layer, kConvolution, "kernel_size", "kernel", 1));
  if (kernel.empty())
    return layer.error("MO-CAFFE-0102", "kernel_size is missing").hint("give kernel_size, or kernel_h and kernel_w");
  MO_ASSIGN(const Integers strides, window_numbers(layer, kConvolution, "stride", "stride", 1));
  MO_ASSIGN(const Integers pads, window_numbers(layer, kConvolution, "pad", "pad", 0));
  MO_ASSIGN(const Integers dilations, window_numbers(layer, kConvolution, "dilation", "dilation", 1));
  const auto rank = static_cast<std::size_t>(type_of(layer.blob(0)).rank().value_or(0));
  const std::size_t axes = kernel.size() > 1 ? kernel.size() : rank > 2 ? rank - 2 : 2;
  Window& window = parts.window;
  MO_ASSIGN(window.kernel, window_list(layer, "kernel", kernel, axes, 1));
  MO_ASSIGN(window.strides, window_list(layer, "strides", strides, axes, 1));
  MO_ASSIGN(window.pads_begin, window_list(layer, "pads", pads, axes, 0));
  MO_ASSIGN(window.dilations, window_list(layer, "dilations", dilations, axes, 1));
  window.pads_end = window.pads_begin;
  // Caffe: filters [O, C / G, spatial…]; those of a Deconvolution are the ones of the convolution that it is the
  // gradient of.
  Integers shape(axes + 2, -1);
  shape[transposed ? 1 : 0] = transposed ? outputs / parts.group : outputs;
  std::copy(window.kernel.begin(), window.kernel.end(), shape.begin() + 2);
  MO_ASSIGN(parts.filters, shaped_blob(layer, rw, 0, shape));
  if (has_bias) {
    Integers bias(axes + 2, 1);
    bias[1] = outputs;
    MO_ASSIGN(parts.bias, shaped_blob(layer, rw, 1, bias));
  }
  return parts;
}

Value transposed_convolution(Rewriter& rw, const Value& x, const ConvolutionParts& parts) {
  const Window& window = parts.window;
  const auto fill = [&](auto op) {
    op.strides = window.strides;
    op.pads_begin = window.pads_begin;
    op.pads_end = window.pads_end;
    op.dilations = window.dilations;
    return op;
  };
  if (parts.group == 1) return rw.create(fill(ops::ConvolutionBackpropData{}), x, parts.filters);
  return rw.create(fill(ops::GroupConvolutionBackpropData{}), x,
                   grouped_filters(rw, parts.filters, parts.group, window.spatial_rank()));
}

Value convolved(Rewriter& rw, const Value& x, const ConvolutionParts& parts) {
  const Value y = parts.transposed ? transposed_convolution(rw, x, parts)
                                   : convolve(rw, x, parts.filters, parts.window, parts.group);
  return parts.bias ? rw.create(ops::Add{}, y, parts.bias) : y;
}

/// Caffe: all axes before `axis`, the channel axis, together form the batch.
Value convolved_at(Rewriter& rw, const Value& x, std::int64_t axis, const ConvolutionParts& parts) {
  constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
  const auto own = static_cast<std::int64_t>(parts.window.spatial_rank() + 1);
  if (axis == 1 || type_of(x).rank() == own + 1) return convolved(rw, x, parts);
  const Value shape = shape_of(rw, x);
  const Value image =
      rw.create(ops::Reshape{}, x, join(rw, {rw.integers({-1}), slice_along(rw, shape, 0, -own, kToTheEnd)}));
  const Value y = convolved(rw, image, parts);
  return rw.create(ops::Reshape{}, y,
                   join(rw, {slice_along(rw, shape, 0, 0, -own), slice_along(rw, shape_of(rw, y), 0, 1, kToTheEnd)}));
}

/// One convolution for each bottom, all with the same filters.
Replacement convolution(const Layer& layer, Rewriter& rw, bool transposed, bool depthwise) {
  MO_TRY(expect_bottoms_from(layer, 1));
  MO_TRY(expect_tops(layer, layer.bottoms()));
  MO_ASSIGN(const ConvolutionParts parts, convolution_parts(layer, rw, transposed, depthwise));
  const std::int64_t axis = layer.integer("convolution_param.axis", 1);
  const auto own = static_cast<std::int64_t>(parts.window.spatial_rank() + 1);
  if (axis < 0 ? axis != -own : axis > 64)
    return layer
        .error("MO-CAFFE-0102", "convolution_param.axis is {}, the filters have {} spatial axes after the channels",
               axis, own - 1)
        .hint("correct the prototxt");
  Outputs outputs;
  for (std::size_t i = 0; i < layer.bottoms(); ++i) outputs.push_back(convolved_at(rw, layer.bottom(i), axis, parts));
  return outputs;
}

Translator convolution_layer(bool transposed, bool depthwise) {
  return [=](const FrameworkNode& node, Rewriter& rw) { return convolution(Layer(node), rw, transposed, depthwise); };
}

}  // namespace

void register_convolution(OperatorTable& table) {
  table.translate("Convolution", convolution_layer(false, false));
  for (const char* type : {"DepthwiseConvolution", "ConvolutionDepthwise"})
    table.translate(type, convolution_layer(false, true));
  table.translate("Deconvolution", convolution_layer(true, false));
}

}  // namespace mo::caffe
