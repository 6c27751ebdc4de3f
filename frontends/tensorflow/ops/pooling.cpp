#include "ops/pooling.hpp"

#include <algorithm>

#include "frontends/tensorflow/ops/support/spatial_window.hpp"

namespace mo::tensorflow {
namespace {

/// What all pooling ops of the IR have. Padding is never an element of a window in TensorFlow.
template <class T>
T pooling(std::vector<std::int64_t> kernel, std::vector<std::int64_t> strides, const Padding& padding, DataLayout layout) {
  T op;
  op.kernel = std::move(kernel);
  op.strides = std::move(strides);
  op.pads_begin = padding.begin;
  op.pads_end = padding.end;
  op.auto_pad = padding.auto_pad;
  op.layout = layout;
  if constexpr (requires { op.exclude_pad; }) op.exclude_pad = true;
  return op;
}

Extractor average_pool(std::size_t axes) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const DataLayout layout, read_layout(node, axes));
    MO_ASSIGN(std::vector<std::int64_t> kernel, read_spatial(node, "ksize", axes, layout));
    MO_ASSIGN(std::vector<std::int64_t> strides, read_spatial(node, "strides", axes, layout));
    MO_ASSIGN(const Padding padding, read_padding(node, axes, layout));
    return pooling<ops::v1::AvgPool>(std::move(kernel), std::move(strides), padding, layout);
  };
}

/// TensorFlow MaxPool: a window lies over the spatial dimensions, or over the channels, which it then divides.
Expected<Op> max_pool_over_channels(const FrameworkNode& node, const DimensionNumbers& kernel, const DimensionNumbers& strides, DataLayout layout) {
  const auto has_others = [](const std::vector<std::int64_t>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n != 1; });
  };
  if (layout != DataLayout::channels_last || kernel.channels != strides.channels || has_others(kernel.spatial) || has_others(strides.spatial))
    return node.error("MO-TF-0625", "a window of {} channels with stride {} cannot be expressed", kernel.channels, strides.channels)
        .hint("windows over channels must not overlap, be one pixel large and have channels-last data");
  return front_op("TfChannelMaxPool", {{"size", kernel.channels}});
}

Extractor max_pool(std::size_t axes) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const DataLayout layout, read_layout(node, axes));
    MO_ASSIGN(DimensionNumbers kernel, read_numbers(node, "ksize", axes, layout));
    MO_ASSIGN(DimensionNumbers strides, read_numbers(node, "strides", axes, layout));
    MO_ASSIGN(const Padding padding, read_padding(node, axes, layout));
    if (kernel.batch != 1 || strides.batch != 1)
      return node.error("MO-TF-0624", "ksize is {} and strides is {} for the batch", kernel.batch, strides.batch)
          .hint("only windows over the other dimensions are possible");
    if (kernel.channels != 1) return max_pool_over_channels(node, kernel, strides, layout);
    if (strides.channels != 1)
      return node.error("MO-TF-0624", "strides is {} for the channels, ksize is 1", strides.channels).hint("check how the model was exported");
    return pooling<ops::v8::MaxPool>(std::move(kernel.spatial), std::move(strides.spatial), padding, layout);
  };
}

/// Poolings whose ksize and strides are inputs.
Extractor pool_with_inputs(std::string kind) {
  return [kind = std::move(kind)](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const DataLayout layout, read_layout(node, 2));
    MO_ASSIGN(const Padding padding, read_padding(node, 2, layout));
    if (padding.auto_pad == ops::AutoPad::explicit_pads)
      return node.error("MO-TF-0623", "padding is \"EXPLICIT\"").hint("this op takes SAME and VALID");
    return front_op("TfPoolWithInputs", {{"kind", kind}, {"auto_pad", to_attribute(padding.auto_pad)}, {"layout", to_attribute(layout)}});
  };
}

Expected<Op> max_pool_with_argmax(const FrameworkNode& node) {
  const DataLayout layout = DataLayout::channels_last;  // the op has no data_format
  MO_ASSIGN(const std::vector<std::int64_t> kernel, read_spatial(node, "ksize", 2, layout));
  MO_ASSIGN(const std::vector<std::int64_t> strides, read_spatial(node, "strides", 2, layout));
  MO_ASSIGN(const Padding padding, read_padding(node, 2, layout));
  node.declare_outputs(2);
  return front_op("TfMaxPoolWithArgmax", {{"kernel", kernel},
                                          {"strides", strides},
                                          {"auto_pad", to_attribute(padding.auto_pad)},
                                          {"index_type", read_type(node, "Targmax").value_or(ElementType::i64)},
                                          {"include_batch", node.attr("include_batch_in_index", false)}});
}

}  // namespace

void register_pooling(OperatorTable& table) {
  table.extract("MaxPool", max_pool(2));
  table.extract("MaxPool3D", max_pool(3));
  table.extract("MaxPoolV2", pool_with_inputs("max"));
  table.extract("MaxPoolWithArgmax", max_pool_with_argmax);
  table.extract("AvgPool", average_pool(2));
  table.extract("AvgPool3D", average_pool(3));
  table.extract("AvgPoolV2", pool_with_inputs("average"));
}

}  // namespace mo::tensorflow
