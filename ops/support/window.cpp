#include "ops/support/window.hpp"

namespace mo::ops {
namespace {

constexpr std::int64_t kLargest = (std::int64_t{1} << 31) - 1;
// Beyond this a size is as good as unbounded; keeps the arithmetic below from overflowing.
constexpr std::int64_t kLargestSize = std::int64_t{1} << 61;

/// How many positions the window has over `size` elements; 0 when it does not fit at all.
std::int64_t positions(std::int64_t size, std::int64_t kernel, const WindowAxis& axis, TorchRoundingType rounding) {
  if (size > kLargestSize) return Dimension::kNoLimit;
  const std::int64_t room = size + axis.pad_begin + axis.pad_end - dilated(kernel, axis.dilation);
  if (room < 0) return 0;
  if (rounding == TorchRoundingType::floor) return room / axis.stride + 1;
  std::int64_t count = room / axis.stride + (room % axis.stride != 0 ? 1 : 0) + 1;
  if (rounding == TorchRoundingType::ceil_torch && (count - 1) * axis.stride >= size + axis.pad_begin) --count;
  return count;
}

}  // namespace

std::optional<std::size_t> WindowAttributes::spatial_rank() const {
  for (const auto* list : {&strides, &dilations, &pads_begin, &pads_end})
    if (!list->empty()) return list->size();
  return std::nullopt;
}

WindowAxis window_axis(const WindowAttributes& attributes, std::size_t i) {
  const auto at = [i](const std::vector<std::int64_t>& list, std::int64_t otherwise) {
    return i < list.size() ? list[i] : otherwise;
  };
  WindowAxis axis{at(attributes.strides, 1), at(attributes.dilations, 1), 0, 0};
  if (attributes.auto_pad == AutoPad::explicit_pads) {
    axis.pad_begin = at(attributes.pads_begin, 0);
    axis.pad_end = at(attributes.pads_end, 0);
  }
  return axis;
}

namespace {

Expected<void> check_window_length(const InferContext& ctx, const std::vector<std::int64_t>& list,
                                   std::string_view name, std::size_t spatial_rank) {
  if (list.empty() || list.size() == spatial_rank) return {};
  return ctx
      .error("MO-OPS-0300", "{} has {} elements, the input has {} spatial dimensions", name, list.size(), spatial_rank)
      .hint("give one number per spatial dimension (all but batch and channel)");
}

}  // namespace

Expected<void> check_window_list(const InferContext& ctx, const std::vector<std::int64_t>& list, std::string_view name,
                                 std::int64_t least, std::size_t spatial_rank) {
  MO_TRY(check_window_length(ctx, list, name, spatial_rank));
  for (const std::int64_t number : list)
    if (number < least || number > kLargest)
      return ctx.error("MO-OPS-0301", "{} of {} is outside [{}, {}]", name, number, least, kLargest)
          .hint("correct the attribute in the model");
  return {};
}

Expected<void> check_window(const InferContext& ctx, const WindowAttributes& attributes, std::size_t spatial_rank) {
  MO_TRY(check_window_list(ctx, attributes.strides, "strides", 1, spatial_rank));
  MO_TRY(check_window_list(ctx, attributes.dilations, "dilations", 1, spatial_rank));
  if (attributes.auto_pad == AutoPad::valid) return {};
  if (attributes.auto_pad != AutoPad::explicit_pads) {  // what is stored is not used, but runtimes look at its length
    MO_TRY(check_window_length(ctx, attributes.pads_begin, "pads_begin", spatial_rank));
    return check_window_length(ctx, attributes.pads_end, "pads_end", spatial_rank);
  }
  MO_TRY(check_window_list(ctx, attributes.pads_begin, "pads_begin", 0, spatial_rank));
  return check_window_list(ctx, attributes.pads_end, "pads_end", 0, spatial_rank);
}

Expected<void> check_kernel(const InferContext& ctx, const std::vector<Dimension>& kernel) {
  for (const Dimension& size : kernel)
    if (size.max() < 1 || size.min() > kLargest)
      return ctx
          .error("MO-OPS-0301", "kernel size {} of {} is outside [1, {}]", size.to_string(),
                 PartialShape(kernel).to_string(), kLargest)
          .hint("correct the kernel in the model");
  return {};
}

Expected<std::vector<Dimension>> window_output(const InferContext& ctx, const PartialShape& data,
                                               const std::vector<Dimension>& kernel,
                                               const WindowAttributes& attributes) {
  std::vector<Dimension> out(kernel.size());
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    const Dimension in = data.has_rank() && i + 2 < data.size() ? data[i + 2] : Dimension();
    const WindowAxis axis = window_axis(attributes, i);
    if (attributes.auto_pad == AutoPad::same_upper || attributes.auto_pad == AutoPad::same_lower) {
      out[i] = in.ceil_div(axis.stride);
      continue;
    }
    const Dimension& size = kernel[i];
    const std::int64_t least_kernel = std::max<std::int64_t>(size.min(), 1);
    const std::int64_t most = positions(in.max(), least_kernel, axis, attributes.rounding);
    if (most == 0)
      return ctx
          .error("MO-OPS-0303", "the window of kernel {} is larger than the padded input {}",
                 PartialShape(kernel).to_string(), data.to_string())
          .hint("check --input_shape, the pads and the dilations");
    if (axis.stride == 1 && size.is_known() &&
        axis.pad_begin + axis.pad_end == dilated(size.value(), axis.dilation) - 1) {
      out[i] = in;  // the padding makes up for the kernel: the very same dimension
      continue;
    }
    const bool bounded = size.max() <= kLargest;
    out[i] = {bounded ? std::max<std::int64_t>(
                            1, positions(in.min(), std::max<std::int64_t>(size.max(), 1), axis, attributes.rounding))
                      : 1,
              most};
  }
  return out;
}

reference::Window make_window(const Shape& data, const Shape& kernel, const Shape& out,
                              const WindowAttributes& attributes) {
  reference::Window window;
  const std::size_t missing = 3 - std::min<std::size_t>(kernel.size(), 3);
  for (std::size_t i = 0; i < kernel.size() && i < 3; ++i) {
    reference::WindowAxisGeometry& g = window.axes[missing + i];
    const WindowAxis axis = window_axis(attributes, i);
    g = {data[i + 2], out[i + 2], kernel[i], axis.stride, axis.dilation, axis.pad_begin, axis.pad_end};
    if (attributes.auto_pad == AutoPad::same_upper || attributes.auto_pad == AutoPad::same_lower) {
      const std::int64_t total =
          std::max<std::int64_t>(0, (g.out - 1) * g.stride + dilated(g.kernel, g.dilation) - g.in);
      g.pad_begin = attributes.auto_pad == AutoPad::same_upper ? total / 2 : total - total / 2;
      g.pad_end = total - g.pad_begin;
    }
  }
  return window;
}

}  // namespace mo::ops
