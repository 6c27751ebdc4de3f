#include <algorithm>
#include <array>
#include <cmath>

#include "frontends/caffe/net.hpp"
#include "frontends/caffe/weight_rules.hpp"

namespace mo::caffe {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Layers that keep the shape of their first bottom.
constexpr auto kSameShape = std::to_array<std::string_view>({"AbsVal",    "Accum",
                                                             "Axpy",      "BN",
                                                             "BNLL",      "BatchNorm",
                                                             "Bias",      "Clip",
                                                             "Dropout",   "ELU",
                                                             "Eltwise",   "Exp",
                                                             "GRN",       "HSigmoid",
                                                             "HSwish",    "HardSigmoid",
                                                             "HardSwish", "Hswish",
                                                             "LRN",       "Log",
                                                             "MVN",       "Mish",
                                                             "Normalize", "PReLU",
                                                             "Power",     "PowerFile",
                                                             "ReLU",      "ReLU6",
                                                             "Scale",     "ShuffleChannel",
                                                             "Sigmoid",   "SigmoidCrossEntropyLoss",
                                                             "Softmax",   "SoftmaxWithLoss",
                                                             "Softplus",  "Swish",
                                                             "TanH",      "Threshold"});

std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  if (axis < 0) axis += static_cast<std::int64_t>(rank);
  if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return std::nullopt;
  return static_cast<std::size_t>(axis);
}

/// Size times or divided by something, unknown when a part of it is, or when it overflows.
std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t made = 0;
  return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &made) ? -1 : made;
}

/// A number for each of the two spatial dimensions: `<field>_h` and `<field>_w`, or the field once or twice.
std::array<std::int64_t, 2> spatial(const Layer& layer, const std::string& prefix, const std::string& field,
                                    const std::string& repeated, std::int64_t fallback) {
  const Sizes list = layer.integers(prefix + repeated);
  std::array<std::int64_t, 2> sizes = {fallback, fallback};
  if (!list.empty()) sizes = {list.front(), list.size() > 1 ? list[1] : list.front()};
  const std::int64_t high = layer.integer(prefix + field + "_h", 0);
  const std::int64_t wide = layer.integer(prefix + field + "_w", 0);
  if (high > 0) sizes[0] = high;
  if (wide > 0) sizes[1] = wide;
  return sizes;
}

/// Extent of a window over `size`; numbers of absurd size give an unknown one.
std::int64_t windows(std::int64_t size, std::int64_t kernel, std::int64_t pad, std::int64_t stride, bool up) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (size < 0 || size > kMost || kernel < 1 || kernel > kMost || pad < 0 || pad > kMost || stride < 1) return -1;
  const std::int64_t room = size + 2 * pad - kernel;
  if (room < 0) return -1;
  std::int64_t count = room / stride + (up && room % stride != 0 ? 1 : 0) + 1;
  // Caffe Pooling: no window begins in the padding at the end.
  if (up && pad > 0 && (count - 1) * stride >= size + pad) --count;
  return count;
}

Dims convolved(const Layer& layer, const Dims& data) {
  if (!data || data->size() < 3) return std::nullopt;
  Sizes out = *data;
  out[1] = layer.integer("convolution_param.num_output", -1);
  if (out.size() != 4) {
    std::fill(out.begin() + 2, out.end(), -1);
    return out;
  }
  const std::string prefix = "convolution_param.";
  const auto kernel = spatial(layer, prefix, "kernel", "kernel_size", 0);
  const auto pad = spatial(layer, prefix, "pad", "pad", 0);
  const auto stride = spatial(layer, prefix, "stride", "stride", 1);
  const auto dilation = spatial(layer, prefix, "dilation", "dilation", 1);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t reach = times(dilation[i], kernel[i] - 1);
    out[2 + i] = reach < 0 ? -1 : windows((*data)[2 + i], reach + 1, pad[i], stride[i], false);
  }
  return out;
}

Dims deconvolved(const Layer& layer, const Dims& data) {
  if (!data || data->size() < 3) return std::nullopt;
  Sizes out = *data;
  out[1] = layer.integer("convolution_param.num_output", -1);
  const std::string prefix = "convolution_param.";
  const auto kernel = spatial(layer, prefix, "kernel", "kernel_size", 0);
  const auto pad = spatial(layer, prefix, "pad", "pad", 0);
  const auto stride = spatial(layer, prefix, "stride", "stride", 1);
  const auto dilation = spatial(layer, prefix, "dilation", "dilation", 1);
  for (std::size_t i = 0; i + 2 < out.size(); ++i) {
    const std::size_t k = std::min<std::size_t>(i, 1);
    const std::int64_t steps = times(stride[k], (*data)[2 + i] - 1);
    const std::int64_t reach = times(dilation[k], kernel[k] - 1);
    out[2 + i] = out.size() != 4 || steps < 0 || reach < 0 || steps > (INT64_MAX >> 2) || reach > (INT64_MAX >> 2) ||
                         pad[k] < 0 || pad[k] > (INT64_MAX >> 3)
                     ? -1
                     : std::max<std::int64_t>(-1, steps + reach + 1 - 2 * pad[k]);
  }
  return out;
}

Dims pooled(const Layer& layer, const Dims& data) {
  if (!data || data->size() != 4) return std::nullopt;
  Sizes out = *data;
  const std::string prefix = "pooling_param.";
  if (layer.flag(prefix + "global_pooling", false)) return Sizes{out[0], out[1], 1, 1};
  const auto kernel = spatial(layer, prefix, "kernel", "kernel_size", 0);
  const auto pad = spatial(layer, prefix, "pad", "pad", 0);
  const auto stride = spatial(layer, prefix, "stride", "stride", 1);
  const std::string rounding = layer.text(prefix + "round_mode", "CEIL", {"CEIL", "FLOOR"});
  const bool up = layer.flag(prefix + "ceil_mode", true) && rounding != "FLOOR";
  for (std::size_t i = 0; i < 2; ++i) out[2 + i] = windows((*data)[2 + i], kernel[i], pad[i], stride[i], up);
  return out;
}

Dims concatenated(const Layer& layer, const std::vector<Dims>& bottoms) {
  Dims out = bottoms.front();
  if (!out) return out;
  const auto axis = axis_of(layer.has("concat_param.axis") ? layer.integer("concat_param.axis", 1)
                                                           : layer.integer("concat_param.concat_dim", 1),
                            out->size());
  if (!axis) return std::nullopt;
  std::int64_t total = 0;
  for (const Dims& bottom : bottoms) {
    const std::int64_t size = bottom && bottom->size() == out->size() ? (*bottom)[*axis] : -1;
    total = size < 0 || total < 0 || size > INT64_MAX - total ? -1 : total + size;
  }
  (*out)[*axis] = total;
  return out;
}

std::vector<Dims> sliced(const Layer& layer, const Dims& data, std::size_t tops) {
  if (!data || tops == 0) return {};
  const auto axis = axis_of(
      layer.has("slice_param.axis") ? layer.integer("slice_param.axis", 1) : layer.integer("slice_param.slice_dim", 1),
      data->size());
  if (!axis) return {};
  const Sizes points = layer.integers("slice_param.slice_point");
  const std::int64_t size = (*data)[*axis];
  std::vector<Dims> out(tops, data);
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < tops; ++i) {
    std::int64_t& part = (*out[i])[*axis];
    if (points.empty()) {
      part = size < 0 ? -1 : size / static_cast<std::int64_t>(tops);
      continue;
    }
    const std::int64_t end = i < points.size() ? points[i] : size;
    part = end < begin || begin < 0 ? -1 : end - begin;
    begin = end;
  }
  return out;
}

Dims flattened_dims(const Layer& layer, const Dims& data) {
  if (!data) return data;
  const auto first = axis_of(layer.integer("flatten_param.axis", 1), data->size());
  const auto last = axis_of(layer.integer("flatten_param.end_axis", -1), data->size());
  if (!first || !last || *last < *first) return std::nullopt;
  Sizes out(data->begin(), data->begin() + static_cast<std::ptrdiff_t>(*first));
  std::int64_t size = 1;
  for (std::size_t i = *first; i <= *last; ++i) size = times(size, (*data)[i]);
  out.push_back(size);
  out.insert(out.end(), data->begin() + static_cast<std::ptrdiff_t>(*last + 1), data->end());
  return out;
}

Dims reshaped(const Layer& layer, const Dims& data) {
  Sizes target = layer.integers("reshape_param.shape.dim");
  if (!data || layer.integer("reshape_param.axis", 0) != 0 || layer.integer("reshape_param.num_axes", -1) != -1)
    return std::nullopt;
  std::int64_t total = 1;
  for (const std::int64_t size : *data) total = times(total, size);
  std::int64_t rest = 1;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] == 0)
      target[i] = i < data->size() ? (*data)[i] : -1;
    else if (target[i] == -1 && !open) {
      open = i;
      continue;
    }
    rest = times(rest, target[i]);
  }
  if (open) target[*open] = total < 0 || rest <= 0 ? -1 : total / rest;
  return target;
}

Dims permuted_dims(const Layer& layer, const Dims& data) {
  if (!data) return data;
  const Sizes order = layer.integers("permute_param.order");
  Sizes out;
  for (const std::int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(data->size())) return std::nullopt;
    out.push_back((*data)[static_cast<std::size_t>(axis)]);
  }
  // Caffe Permute: dimensions that are not named follow in their order.
  for (std::size_t i = 0; i < data->size(); ++i)
    if (std::find(order.begin(), order.end(), static_cast<std::int64_t>(i)) == order.end()) out.push_back((*data)[i]);
  return out.size() == data->size() ? Dims(out) : std::nullopt;
}

Dims cropped(const Layer& layer, const std::vector<Dims>& bottoms) {
  Dims out = bottoms.front();
  if (!out || bottoms.size() < 2 || !bottoms[1] || bottoms[1]->size() != out->size()) return std::nullopt;
  const auto axis = axis_of(layer.integer("crop_param.axis", 2), out->size());
  if (!axis) return std::nullopt;
  std::copy(bottoms[1]->begin() + static_cast<std::ptrdiff_t>(*axis), bottoms[1]->end(),
            out->begin() + static_cast<std::ptrdiff_t>(*axis));
  return out;
}

Dims with_channels(const Dims& data, std::int64_t channels, std::int64_t height, std::int64_t width) {
  if (!data || data->size() != 4) return std::nullopt;
  return Sizes{(*data)[0], channels, height, width};
}

/// Facts of mo_frontends: sizes of Interp.
Dims interpolated(const Layer& layer, const std::vector<Dims>& bottoms) {
  const Dims& data = bottoms.front();
  if (!data || data->size() != 4) return std::nullopt;
  if (bottoms.size() > 1)
    return with_channels(data, (*data)[1], bottoms[1] && bottoms[1]->size() == 4 ? (*bottoms[1])[2] : -1,
                         bottoms[1] && bottoms[1]->size() == 4 ? (*bottoms[1])[3] : -1);
  const std::int64_t height = layer.integer("interp_param.height", 0);
  const std::int64_t width = layer.integer("interp_param.width", 0);
  return with_channels(data, (*data)[1], height > 0 ? height : -1, width > 0 ? width : -1);
}

Dims top_of_inner_product(const Layer& layer, const Dims& data) {
  if (!data) return data;
  const std::int64_t given = layer.integer("inner_product_param.axis", 1);
  const auto axis = axis_of(given, data->size());
  if (!axis) return std::nullopt;
  Sizes out(data->begin(), data->begin() + static_cast<std::ptrdiff_t>(*axis));
  out.push_back(layer.integer("inner_product_param.num_output", -1));
  return out;
}

}  // namespace

std::vector<Dims> top_shapes(const Layer& layer, std::string_view type, const std::vector<Dims>& bottoms,
                             std::size_t tops) {
  if (bottoms.empty()) return {};
  const Dims& data = bottoms.front();
  const std::int64_t channels = data && data->size() > 1 ? (*data)[1] : -1;
  if (type == "Split") return std::vector<Dims>(tops, data);
  if (std::find(kSameShape.begin(), kSameShape.end(), type) != kSameShape.end()) return {data};
  if (type == "Convolution" || type == "ConvolutionDepthwise" || type == "DepthwiseConvolution")
    return {convolved(layer, data)};
  if (type == "Deconvolution") return {deconvolved(layer, data)};
  if (type == "Pooling") return {pooled(layer, data), pooled(layer, data)};
  if (type == "InnerProduct") return {top_of_inner_product(layer, data)};
  if (type == "Concat") return {concatenated(layer, bottoms)};
  if (type == "Slice") return sliced(layer, data, tops);
  if (type == "Flatten") return {flattened_dims(layer, data)};
  if (type == "Reshape") return {reshaped(layer, data)};
  if (type == "Permute") return {permuted_dims(layer, data)};
  if (type == "Crop") return {cropped(layer, bottoms)};
  if (type == "Interp") return {interpolated(layer, bottoms)};
  if (type == "Upsample") {
    const std::int64_t factor = layer.integer("upsample_param.scale", 2);
    return {data && data->size() == 4
                ? with_channels(data, channels, times((*data)[2], factor), times((*data)[3], factor))
                : Dims()};
  }
  if (type == "Resample") {
    const std::int64_t height = layer.integer("resample_param.height", 0);
    const std::int64_t width = layer.integer("resample_param.width", 0);
    return {with_channels(data, channels, height > 0 ? height : -1, width > 0 ? width : -1)};
  }
  if (type == "Tile" && data) {
    Sizes out = *data;
    const auto axis = axis_of(layer.integer("tile_param.axis", 1), out.size());
    if (!axis) return {};
    out[*axis] = times(out[*axis], layer.integer("tile_param.tiles", -1));
    return {out};
  }
  if (type == "Reorg" || type == "ReorgYolo") {
    const std::int64_t stride = layer.integer(type == "Reorg" ? "reorg_param.stride" : "reorg_yolo_param.stride", 2);
    if (!data || data->size() != 4 || stride < 1) return {};
    const auto part = [&](std::size_t axis) { return (*data)[axis] < 0 ? -1 : (*data)[axis] / stride; };
    return {Sizes{(*data)[0], times(times(channels, stride), stride), part(2), part(3)}};
  }
  if (type == "Embed" && data) {
    Sizes out = *data;
    out.push_back(layer.integer("embed_param.num_output", -1));
    return {out};
  }
  if (type == "LSTM" || type == "RNN") {
    const std::int64_t size = layer.integer("recurrent_param.num_output", -1);
    return {data && data->size() >= 2 ? Dims(Sizes{(*data)[0], (*data)[1], size}) : Dims()};
  }
  if (type == "ROIPooling")
    return {Sizes{-1, channels, layer.integer("roi_pooling_param.pooled_h", -1),
                  layer.integer("roi_pooling_param.pooled_w", -1)}};
  if (type == "PSROIPooling") {
    const std::int64_t group = layer.integer("psroi_pooling_param.group_size", -1);
    return {Sizes{-1, layer.integer("psroi_pooling_param.output_dim", -1), group, group}};
  }
  if (type == "Proposal" || type == "SimplerNMS" || type == "Python") return {Sizes{-1, 5}};
  if (type == "PriorBox" || type == "PriorBoxClustered") return {Sizes{1, 2, -1}};
  return {};
}

}  // namespace mo::caffe
