#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/graph/graph.hpp"

namespace mo::phases {

/// A mean image: a number for every pixel, f32 of shape [channels, height, width]. Inputs may be smaller: a part of it
/// is meant.
struct MeanImage {
  Tensor image;
  /// First row and first column of that part; unset: the middle.
  std::optional<std::pair<std::int64_t, std::int64_t>> offsets;
};

/// The part of the image for `input` (channels first), negated, as a constant [1, channels, height, width] of the
/// input's type; channels in reverse order when `reversed`. Errors: MO-PRE-0008 (the input is not an image of known
/// size, or larger than the mean image), MO-PRE-0009 (the offsets lead out of the image).
Expected<Tensor> negated_part(const MeanImage& mean, const Node& input, bool reversed);

}  // namespace mo::phases
