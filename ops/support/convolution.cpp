#include "ops/support/convolution.hpp"

#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

struct Channels {
  Dimension groups = 1;
  Dimension in;   ///< per group
  Dimension out;  ///< per group
};

/// The spatial rank, from any input that determines it; 0: unknown.
Expected<std::size_t> spatial_rank(const InferContext& ctx, const PartialShape& data, const PartialShape& filters,
                                   FilterLayout layout, const WindowAttributes& attributes) {
  const auto out_of_range = [&](const PartialShape& shape, std::size_t leading) {
    return shape.has_rank() && (shape.size() < leading + 1 || shape.size() > leading + 3);
  };
  if (out_of_range(data, 2) || out_of_range(filters, layout.leading()))
    return ctx
        .error("MO-OPS-0304", "data {} and filters {} have no 1 to 3 spatial dimensions", data.to_string(),
               filters.to_string())
        .hint("data is [N, C, spatial...], filters {}",
              layout.grouped ? "[G, O/G, C/G, spatial...]" : "[O, C, spatial...]");
  if (data.has_rank() && filters.has_rank() && data.size() - 2 != filters.size() - layout.leading())
    return ctx
        .error("MO-OPS-0304", "data {} has {} spatial dimensions, filters {} have {}", data.to_string(),
               data.size() - 2, filters.to_string(), filters.size() - layout.leading())
        .hint("check --input_shape");
  if (data.has_rank()) return data.size() - 2;
  if (filters.has_rank()) return filters.size() - layout.leading();
  const std::size_t rank = attributes.spatial_rank().value_or(0);
  if (rank > 3)
    return ctx.error("MO-OPS-0304", "strides, pads and dilations speak of {} spatial dimensions, 1 to 3 are possible",
                     rank);
  return rank;
}

/// Channels per group, checked against the data.
Expected<Channels> channels(const InferContext& ctx, const PartialShape& data, const PartialShape& filters,
                            FilterLayout layout, std::int64_t groups) {
  Channels result;
  if (!layout.grouped) result.groups = groups;
  if (!filters.has_rank()) {
    if (layout.grouped) result.groups = Dimension();
    return result;
  }
  const std::size_t first = layout.grouped ? 1 : 0;
  result.out = filters[first + (layout.transposed ? 1 : 0)];
  result.in = filters[first + (layout.transposed ? 0 : 1)];
  if (layout.grouped) {
    result.groups = filters[0];
    if (result.groups.max() == 0) return ctx.error("MO-OPS-0302", "filters {} have no groups", filters.to_string());
  }
  if (!data.has_rank()) return result;
  const Dimension& all = data[1];
  if (layout.grouped && !result.groups.is_known() && all.is_known() && result.in.is_known() && result.in.value() > 0 &&
      all.value() % result.in.value() == 0)
    result.groups = all.value() / result.in.value();
  if (!all.compatible(result.in * result.groups))
    return ctx
        .error("MO-OPS-0302", "data {} has {} channels, filters {} take {} in {} groups", data.to_string(),
               all.to_string(), filters.to_string(), (result.in * result.groups).to_string(), result.groups.to_string())
        .hint("check the layout of the input (channels are dimension 1) and the number of groups");
  return result;
}

std::vector<Dimension> kernel_of(const PartialShape& filters, FilterLayout layout, std::size_t rank) {
  if (!filters.has_rank()) return std::vector<Dimension>(rank);
  return {filters.dims().begin() + static_cast<std::ptrdiff_t>(layout.leading()), filters.dims().end()};
}

PartialShape assemble(const PartialShape& data, const Dimension& out_channels, const std::vector<Dimension>& spatial) {
  std::vector<Dimension> dims{data.has_rank() ? data[0] : Dimension(), out_channels};
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  return PartialShape(std::move(dims));
}

/// stride * (in - 1) + dilated kernel - pads + output padding; negative when the pads cut everything away.
std::int64_t grown(std::int64_t in, std::int64_t kernel, const WindowAxis& axis, std::int64_t output_padding) {
  std::int64_t steps = 0;
  if (in == Dimension::kNoLimit || __builtin_mul_overflow(std::max<std::int64_t>(in - 1, 0), axis.stride, &steps) ||
      steps > (std::int64_t{1} << 61))
    return Dimension::kNoLimit;
  return steps + dilated(kernel, axis.dilation) - axis.pad_begin - axis.pad_end + output_padding;
}

void fill_channels(reference::ConvolutionGeometry& g, const Shape& data, const Shape& filters, FilterLayout layout,
                   std::int64_t groups) {
  const std::size_t first = layout.grouped ? 1 : 0;
  g.batch = data[0];
  g.groups = layout.grouped ? filters[0] : groups;
  g.transposed = layout.transposed;
  g.out_channels = filters[first + (layout.transposed ? 1 : 0)];
  g.in_channels = filters[first + (layout.transposed ? 0 : 1)];
  // Filters [O, I, …] with a group attribute: O counts the channels of all groups.
  if (!layout.grouped && groups > 1) g.out_channels /= groups;
}

}  // namespace

Expected<PartialShape> convolution_shape(const InferContext& ctx, const PartialShape& data, const PartialShape& filters,
                                         FilterLayout layout, std::int64_t groups, const WindowAttributes& attributes) {
  MO_ASSIGN(const std::size_t rank, spatial_rank(ctx, data, filters, layout, attributes));
  if (rank == 0) return PartialShape::unknown_rank();
  MO_TRY(check_window(ctx, attributes, rank));
  const std::vector<Dimension> kernel = kernel_of(filters, layout, rank);
  MO_TRY(check_kernel(ctx, kernel));
  MO_ASSIGN(const Channels c, channels(ctx, data, filters, layout, groups));
  if (!layout.grouped && c.out.is_known() && c.out.value() % groups != 0)
    return ctx.error("MO-OPS-0302", "filters {} give {} channels, which {} groups do not divide", filters.to_string(),
                     c.out.to_string(), groups);
  MO_ASSIGN(const std::vector<Dimension> spatial, window_output(ctx, data, kernel, attributes));
  return assemble(data, layout.grouped ? c.groups * c.out : c.out, spatial);
}

Expected<PartialShape> convolution_backprop_shape(const InferContext& ctx, FilterLayout layout,
                                                  const WindowAttributes& attributes,
                                                  const std::vector<std::int64_t>& output_padding) {
  const PartialShape& data = ctx.input_shape(0);
  const PartialShape& filters = ctx.input_shape(1);
  MO_ASSIGN(std::size_t rank, spatial_rank(ctx, data, filters, layout, attributes));
  std::vector<Dimension> spatial;
  if (ctx.has_input(2)) {
    MO_TRY(ctx.expect_rank(2, 1, 1));
    MO_ASSIGN(const PartialShape wanted, shape_from_input(ctx, 2));
    if (rank == 0 && wanted.has_rank() && wanted.size() >= 1 && wanted.size() <= 3) rank = wanted.size();
    if (wanted.has_rank() && wanted.size() != rank)
      return ctx
          .error("MO-OPS-0305", "the output shape has {} elements, data {} has {} spatial dimensions", wanted.size(),
                 data.to_string(), rank)
          .hint("give the spatial dimensions only, without batch and channels");
    spatial = wanted.has_rank() ? wanted.dims() : std::vector<Dimension>(rank);
  }
  if (rank == 0) return PartialShape::unknown_rank();
  MO_TRY(check_window(ctx, attributes, rank));
  MO_TRY(check_window_list(ctx, output_padding, "output_padding", 0, rank));
  const std::vector<Dimension> kernel = kernel_of(filters, layout, rank);
  MO_TRY(check_kernel(ctx, kernel));
  MO_ASSIGN(const Channels c, channels(ctx, data, filters, layout, 1));
  if (!ctx.has_input(2))
    for (std::size_t i = 0; i < rank; ++i) {
      const Dimension in = data.has_rank() ? data[i + 2] : Dimension();
      const std::int64_t padding = i < output_padding.size() ? output_padding[i] : 0;
      const WindowAxis axis = window_axis(attributes, i);
      // An unknown or absurd kernel: nothing is known of the size.
      const bool bounded = kernel[i].max() < (std::int64_t{1} << 31);
      const std::int64_t low = grown(in.min(), std::max<std::int64_t>(kernel[i].min(), 1), axis, padding);
      const std::int64_t high = bounded ? grown(in.max(), kernel[i].max(), axis, padding) : Dimension::kNoLimit;
      if (high < 0)
        return ctx
            .error("MO-OPS-0306", "pads remove more than kernel {} produces from input {}",
                   PartialShape(kernel).to_string(), data.to_string())
            .hint("check the pads and --input_shape");
      spatial.emplace_back(std::max<std::int64_t>(low, 0), high);
    }
  return assemble(data, c.groups * c.out, spatial);
}

reference::ConvolutionGeometry convolution_geometry(const Shape& data, const Shape& filters, const Shape& out,
                                                    FilterLayout layout, std::int64_t groups,
                                                    const WindowAttributes& attributes) {
  reference::ConvolutionGeometry g;
  fill_channels(g, data, filters, layout, groups);
  g.window = make_window(data, {filters.begin() + static_cast<std::ptrdiff_t>(layout.leading()), filters.end()}, out,
                         attributes);
  return g;
}

reference::ConvolutionGeometry convolution_backprop_geometry(const Shape& data, const Shape& filters, const Shape& out,
                                                             FilterLayout layout, const WindowAttributes& attributes,
                                                             const std::vector<std::int64_t>& output_padding,
                                                             bool has_output_shape) {
  reference::ConvolutionGeometry g;
  fill_channels(g, data, filters, layout, 1);
  const std::size_t rank = data.size() - 2;
  for (std::size_t i = 0; i < rank; ++i) {
    const WindowAxis axis = window_axis(attributes, i);
    reference::WindowAxisGeometry& a = g.window.axes[3 - rank + i];
    a = {data[i + 2],    out[i + 2],  filters[layout.leading() + i], axis.stride, axis.dilation,
         axis.pad_begin, axis.pad_end};
    if (!has_output_shape || (attributes.auto_pad != AutoPad::same_upper && attributes.auto_pad != AutoPad::same_lower))
      continue;
    // IR specification of ConvolutionBackpropData-1: the odd pad is at the beginning for same_upper, at the end
    // otherwise: the other way round than in a Convolution (the Model Optimizer writes same_lower for TensorFlow's
    // SAME).
    const std::int64_t padding = i < output_padding.size() ? output_padding[i] : 0;
    const std::int64_t full = std::max<std::int64_t>(a.in - 1, 0) * a.stride + dilated(a.kernel, a.dilation) + padding;
    const std::int64_t total = std::max<std::int64_t>(0, full - a.out);
    a.pad_begin = attributes.auto_pad == AutoPad::same_upper ? total - total / 2 : total / 2;
    a.pad_end = total - a.pad_begin;
  }
  return g;
}

}  // namespace mo::ops
