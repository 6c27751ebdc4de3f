#include <algorithm>

#include "frontends/tensorflow/ops/support/convolution.hpp"
#include "frontends/tensorflow/ops/support/network_tail.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"

namespace mo::tensorflow {
namespace {

Translator forward(std::size_t axes, bool depthwise) {
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(2));
    MO_ASSIGN(const SpatialWindow window, convolution_window(node, axes));
    return convolved(rw, node.input(0), node.input(1), window, depthwise);
  };
}

/// Grappler's convolutions with what follows them.
Translator fused(bool depthwise) {
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    node.ignore({"num_args", "TArgs", "num_host_args", "host_args"}, "numbers and types of the inputs");
    MO_TRY(node.expect_inputs(2));
    if (const std::string format = node.attr("filter_format", "HWIO"); format != "HWIO")
      return node.error("MO-TF-0621", "filter_format is {}", format)
          .hint("use HWIO; other formats are for one kind of device only");
    MO_ASSIGN(const SpatialWindow window, convolution_window(node, 2));
    MO_ASSIGN(const Value result,
              with_fused_ops(node, rw, convolved(rw, node.input(0), node.input(1), window, depthwise), 2,
                             {window.layout, 2}));
    return result;
  };
}

/// The sizes of the result, as far as they are known: of its spatial axes, and of its channels.
struct WantedSizes {
  Value spatial;
  std::optional<std::int64_t> channels;
};

/// `sizes` holds those of all dimensions, or (since TensorFlow 2.5) those of the spatial ones. Error MO-TF-0626 for
/// anything else.
Expected<WantedSizes> wanted_sizes(const FrameworkNode& node, Rewriter& rw, const Value& sizes, std::size_t axes,
                                   DataLayout layout) {
  const auto count = static_cast<std::int64_t>(axes);
  const std::int64_t first = layout == DataLayout::channels_last ? 1 : 2;
  const auto wrong = [&](std::string_view what) {
    return node.error("MO-TF-0626", "input_sizes is {}, but the data has {} spatial axes", what, axes)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  };
  WantedSizes wanted;
  const std::size_t place = channel_axis(layout, axes);
  if (const auto numbers = integers_of(sizes)) {
    const bool all = numbers->size() == axes + 2;
    if (!all && numbers->size() != axes) return wrong(mo::to_string(*numbers));
    const auto begin = numbers->begin() + (all ? first : 0);
    if (std::any_of(begin, begin + count, [](std::int64_t n) { return n < 0; })) return wrong(mo::to_string(*numbers));
    if (all) wanted.channels = (*numbers)[place];
    // Sizes that are computed from shapes stay so.
    if (sizes.node().is<Const>()) wanted.spatial = rw.integers({begin, begin + count});
  } else if (const PartialValue* partial = sizes.data().partial_value();
             partial && partial->elements.size() == axes + 2) {
    if (partial->elements[place].is_known()) wanted.channels = partial->elements[place].value();
  }
  if (wanted.spatial) return wanted;
  const PartialShape& shape = type_of(sizes).shape;
  const Dimension length = shape.has_rank() && shape.size() == 1 ? shape[0] : Dimension();
  if (length.is_known() && length.value() != count && length.value() != count + 2)
    return wrong("of shape " + shape.to_string());
  wanted.spatial = length == Dimension(count) ? sizes : slice_along(rw, sizes, 0, first, first + count);
  return wanted;
}

/// TensorFlow Conv2DBackpropInput: filters [spatial…, C / G, O] for a result of C channels.
Expected<std::int64_t> groups_of_result(const FrameworkNode& node, const WantedSizes& wanted, std::size_t axes) {
  const PartialShape& filters = node.input_type(1).shape;
  if (!filters.has_rank() || !wanted.channels) return 1;
  if (filters.size() == axes + 2) {
    const Dimension& each = filters[axes];
    if (!each.is_known() || *wanted.channels == each.value() || *wanted.channels < 0) return 1;
    if (each.value() > 0 && *wanted.channels % each.value() == 0 && *wanted.channels > 0)
      return *wanted.channels / each.value();
  }
  return node
      .error("MO-TF-0626", "input_sizes expects {} channels, filters of shape {} do not produce them", *wanted.channels,
             filters.to_string())
      .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
}

/// Conv2DBackpropInput(sizes, filters, gradient) -> ConvolutionBackpropData(gradient, Transpose(filters), spatial
/// sizes). `sizes_are_data`: input 0 is a tensor whose sizes are meant, not the sizes themselves.
///
/// TensorFlow pads with SAME as the convolution that this is the gradient of: the odd one at the end.
/// ConvolutionBackpropData has that with same_lower: "the other way round than in a Convolution".
Translator backward(std::size_t axes, bool depthwise, bool sizes_are_data) {
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(3));
    MO_ASSIGN(SpatialWindow window, convolution_window(node, axes));
    if (window.auto_pad == ops::AutoPad::same_upper) window.auto_pad = ops::AutoPad::same_lower;
    const Value sizes = sizes_are_data ? shape_of(rw, node.input(0)) : node.input(0);
    MO_ASSIGN(const WantedSizes wanted, wanted_sizes(node, rw, sizes, axes, window.layout));
    const Value gradient = node.input(2);
    if (depthwise)
      return rw.create(with_window<ops::GroupConvolutionBackpropData>(window), gradient,
                       depthwise_filters(rw, node.input(1)), wanted.spatial);
    MO_ASSIGN(const std::int64_t groups, groups_of_result(node, wanted, axes));
    const Value filters = plain_filters(rw, node.input(1), axes);
    if (groups == 1)
      return rw.create(with_window<ops::ConvolutionBackpropData>(window), gradient, filters, wanted.spatial);
    return rw.create(with_window<ops::GroupConvolutionBackpropData>(window), gradient,
                     grouped_filters(rw, filters, groups, axes), wanted.spatial);
  };
}

}  // namespace

void register_convolution(OperatorTable& table) {
  table.translate("Conv2D", forward(2, false));
  table.translate("Conv3D", forward(3, false));
  table.translate("DepthwiseConv2dNative", forward(2, true));
  table.translate("_FusedConv2D", fused(false));
  table.translate("_FusedDepthwiseConv2dNative", fused(true));
  table.translate("Conv2DBackpropInput", backward(2, false, false));
  table.translate("Conv3DBackpropInput", backward(3, false, true));
  table.translate("Conv3DBackpropInputV2", backward(3, false, false));
  table.translate("DepthwiseConv2dNativeBackpropInput", backward(2, true, false));
}

}  // namespace mo::tensorflow
