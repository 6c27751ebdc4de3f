#pragma once

#include "core/op/data_layout.hpp"
#include "core/rewrite.hpp"
#include "ops/support/window.hpp"

/// What fusions ask of convolutions and poolings.
namespace mo::transformations {

/// Where the spatial dimensions of the data are: from `first` on, `count` of
/// them; `channel` is the dimension of the channels.
struct DataAxes {
  std::size_t first = 2;
  std::size_t channel = 1;
};
inline DataAxes data_axes(DataLayout layout, std::size_t rank) {
  return layout == DataLayout::channels_first ? DataAxes{2, 1} : DataAxes{1, rank - 1};
}

/// The spatial dimensions of a tensor of that layout; nothing when its rank is
/// not that of an image with `count` of them.
std::optional<std::vector<Dimension>> spatial_dimensions(const PartialShape& shape, DataLayout layout,
                                                         std::size_t count);

/// Lengths of a convolution's kernel, known ones only: `filters` are [O, I,
/// spatial…], or [G, O, I, spatial…] with `grouped`.
std::optional<std::vector<std::int64_t>> kernel_of(const Value& filters, bool grouped);

struct Pads {
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> end;
};
/// The pads that a window really has, auto_pad resolved. Nothing when they
/// depend on a dimension that is not known.
std::optional<Pads> pads_of(const ops::WindowAttributes& window, const std::vector<std::int64_t>& kernel,
                            const std::vector<Dimension>& data);

/// A list of a window with one entry for each axis (an empty one means that all
/// are `usual`); nothing when it has another length.
std::optional<std::vector<std::int64_t>> per_axis(const std::vector<std::int64_t>& list, std::size_t count,
                                                  std::int64_t usual);

}  // namespace mo::transformations
