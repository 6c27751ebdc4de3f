#pragma once

#include <algorithm>

#include "core/op.hpp"

namespace mo::ops {

/// Whether `axes` (any sign) are exactly the dimensions between the first and the last one: height and width of [N, H,
/// W, C].
inline bool are_spatial_axes_of_channels_last(const std::vector<std::int64_t>& axes, std::int64_t rank) {
  if (rank < 3 || static_cast<std::int64_t>(axes.size()) != rank - 2) return false;
  return std::all_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
    const std::int64_t place = axis < 0 ? axis + rank : axis;
    return place > 0 && place < rank - 1;
  });
}

/// Whether `axes` are just the last dimension.
inline bool are_channels_of_channels_last(const std::vector<std::int64_t>& axes, std::int64_t rank) {
  return axes.size() == 1 && (axes.front() == -1 || axes.front() == rank - 1);
}

/// For ops that runtimes know for channels-first images above all: where `axes` are the height and width (or, if
/// `channels`, the channels) of a channels-last image, it is better made channels-first.
inline LayoutNeed need_of_image_axes(const InferContext& ctx, const std::optional<std::vector<std::int64_t>>& axes,
                                     bool channels = false) {
  const auto rank = ctx.input(0).rank();
  if (!rank || !axes) return LayoutNeed::either;
  const bool image =
      channels ? are_channels_of_channels_last(*axes, *rank) : are_spatial_axes_of_channels_last(*axes, *rank);
  return image ? LayoutNeed::channels_first : LayoutNeed::either;
}

}  // namespace mo::ops
