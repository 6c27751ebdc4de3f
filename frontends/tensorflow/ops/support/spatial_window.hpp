#pragma once

#include "core/op/data_layout.hpp"
#include "core/registry/operator_table.hpp"
#include "ops/build/convolution.hpp"

/// The attributes of TensorFlow's convolutions and poolings: lists with one number for each dimension of the data, in
/// the order that `data_format` says. The IR has lists of the spatial dimensions only.
namespace mo::tensorflow {

/// The largest size, stride or pad that the IR's ops take.
inline constexpr std::int64_t kLargestWindowNumber = (std::int64_t{1} << 31) - 1;

/// Error MO-TF-0621 for a format that is neither NHWC nor NCHW (NDHWC, NCDHW for 3 spatial axes).
inline Expected<DataLayout> read_layout(const FrameworkNode& node, std::size_t axes) {
  const std::string format = node.attr("data_format", axes == 3 ? "NDHWC" : "NHWC");
  if (format == (axes == 3 ? "NDHWC" : "NHWC")) return DataLayout::channels_last;
  if (format == (axes == 3 ? "NCDHW" : "NCHW")) return DataLayout::channels_first;
  return node.error("MO-TF-0621", "data_format is {}", format)
      .hint("use {}; other formats are for one kind of device only", axes == 3 ? "NDHWC and NCDHW" : "NHWC and NCHW");
}

/// Place of the channels among the dimensions.
constexpr std::size_t channel_axis(DataLayout layout, std::size_t axes) {
  return layout == DataLayout::channels_last ? axes + 1 : 1;
}

/// A list with one number for each dimension, taken apart.
struct DimensionNumbers {
  std::int64_t batch = 1;
  std::int64_t channels = 1;
  std::vector<std::int64_t> spatial;
};

/// Errors: MO-TF-0622 for a list of another length or with numbers that are not positive.
inline Expected<DimensionNumbers> read_numbers(const FrameworkNode& node, std::string_view name, std::size_t axes,
                                               DataLayout layout, const std::vector<std::int64_t>& otherwise = {}) {
  const auto list = node.attr<std::vector<std::int64_t>>(name, otherwise);
  if (list.size() != axes + 2)
    return node.error("MO-TF-0622", "{} has {} values for {} dimensions", name, list.size(), axes + 2)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  DimensionNumbers numbers;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] < 1 || list[i] > kLargestWindowNumber)
      return node
          .error("MO-TF-0622", "{} has the value {}, which is outside of [1, {}]", name, list[i], kLargestWindowNumber)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    if (i == 0)
      numbers.batch = list[i];
    else if (i == channel_axis(layout, axes))
      numbers.channels = list[i];
    else
      numbers.spatial.push_back(list[i]);
  }
  return numbers;
}

/// The numbers of the spatial dimensions. Error MO-TF-0624 unless those of batch and channels are 1.
inline Expected<std::vector<std::int64_t>> read_spatial(const FrameworkNode& node, std::string_view name,
                                                        std::size_t axes, DataLayout layout,
                                                        const std::vector<std::int64_t>& otherwise = {}) {
  MO_ASSIGN(DimensionNumbers numbers, read_numbers(node, name, axes, layout, otherwise));
  if (numbers.batch != 1 || numbers.channels != 1)
    return node
        .error("MO-TF-0624", "{} is {} for the batch and {} for the channels", name, numbers.batch, numbers.channels)
        .hint("only windows over the spatial dimensions are possible");
  return std::move(numbers.spatial);
}

/// A window over the spatial dimensions, and where these are.
struct SpatialWindow : build::Window {
  DataLayout layout = DataLayout::channels_last;
};

/// The padding of `window`, whose layout is known. Errors: MO-TF-0622 and MO-TF-0624 as above for explicit_paddings
/// (two numbers for each dimension), MO-TF-0623 for another padding.
inline Expected<void> read_padding(const FrameworkNode& node, std::size_t axes, SpatialWindow& window) {
  window.pads_begin.assign(axes, 0);
  window.pads_end.assign(axes, 0);
  const auto text = node.required<std::string>("padding");
  const auto pads = node.attr<std::vector<std::int64_t>>("explicit_paddings", {});
  window.auto_pad = text == "VALID"  ? ops::AutoPad::valid
                    : text == "SAME" ? ops::AutoPad::same_upper
                                     : ops::AutoPad::explicit_pads;
  if (window.auto_pad != ops::AutoPad::explicit_pads) return {};
  if (text != "EXPLICIT")
    return node.error("MO-TF-0623", "padding is \"{}\"", text).hint("it is one of SAME, VALID, EXPLICIT");
  if (pads.size() != 2 * (axes + 2))
    return node.error("MO-TF-0622", "explicit_paddings has {} values for {} dimensions", pads.size(), axes + 2)
        .hint("it has two values for each dimension");
  for (std::size_t i = 0, spatial = 0; i < axes + 2; ++i) {
    const std::int64_t begin = pads[2 * i];
    const std::int64_t end = pads[2 * i + 1];
    if (begin < 0 || end < 0 || begin > kLargestWindowNumber || end > kLargestWindowNumber)
      return node.error("MO-TF-0622", "explicit_paddings has {} and {} for dimension {}", begin, end, i)
          .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
    if (i == 0 || i == channel_axis(window.layout, axes)) {
      if (begin != 0 || end != 0)
        return node.error("MO-TF-0624", "explicit_paddings pads dimension {}", i)
            .hint("only spatial dimensions can be padded");
      continue;
    }
    window.pads_begin[spatial] = begin;
    window.pads_end[spatial++] = end;
  }
  return {};
}

/// The element type that an attribute names; nothing when it is missing or no type of the IR ("DT_COMPLEX64").
inline std::optional<ElementType> read_type(const FrameworkNode& node, std::string_view name) {
  const auto value = node.optional_attr<AttributeValue>(name);
  const ElementType* type = value ? value->get_if<ElementType>() : nullptr;
  return type ? std::optional(*type) : std::nullopt;
}

}  // namespace mo::tensorflow
