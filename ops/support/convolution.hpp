#pragma once

#include "ops/reference/convolution.hpp"
#include "ops/support/window.hpp"

namespace mo::ops {

/// How the filters of a convolution are laid out.
struct FilterLayout {
  bool grouped = false;     ///< [G, O, I, spatial…] instead of [O, I, spatial…]
  bool transposed = false;  ///< I before O: the filters of the gradient ops
  std::size_t leading() const { return grouped ? 3 : 2; }
};

/// The attributes of a convolution op as a window.
template <class Op>
WindowAttributes window_of(const Op& op) {
  return {op.strides, op.pads_begin, op.pads_end, op.dilations, op.auto_pad};
}

/// The result type of Convolution and the like: `data` [N, C, spatial…], `filters` as `layout` says, `groups` the group
/// count that an attribute gives (1 otherwise). Errors: MO-OPS-0003, MO-OPS-0300 to MO-OPS-0304.
Expected<PartialShape> convolution_shape(const InferContext& ctx, const PartialShape& data, const PartialShape& filters,
                                         FilterLayout layout, std::int64_t groups, const WindowAttributes& attributes);

/// The result type of a ConvolutionBackpropData: as large as input 2 says when it is there. Errors as above and
/// MO-OPS-0305, MO-OPS-0306.
Expected<PartialShape> convolution_backprop_shape(const InferContext& ctx, FilterLayout layout,
                                                  const WindowAttributes& attributes,
                                                  const std::vector<std::int64_t>& output_padding);

/// What the kernels need, for static shapes that inference has accepted.
reference::ConvolutionGeometry convolution_geometry(const Shape& data, const Shape& filters, const Shape& out,
                                                    FilterLayout layout, std::int64_t groups,
                                                    const WindowAttributes& attributes);
reference::ConvolutionGeometry convolution_backprop_geometry(const Shape& data, const Shape& filters, const Shape& out,
                                                             FilterLayout layout, const WindowAttributes& attributes,
                                                             const std::vector<std::int64_t>& output_padding,
                                                             bool has_output_shape);

}  // namespace mo::ops
