#pragma once

#include <string_view>

#include "ops/build/term.hpp"

/// Resizing as two products with matrices of weights, for filters that Interpolate does not have.
namespace mo::build {

/// The weight of an element at a distance (in elements), by TensorFlow's filter of that name: lanczos1, lanczos3,
/// lanczos5, gaussian, box, keyscubic, mitchellcubic, or triangle.
Term sampling_kernel(std::string_view name, const Term& distance);

/// How far neighbouring elements of a result of `size` elements lie apart in data of `length` elements, both f32:
/// length / size; with `align_corners`, where both ends of the result are ends of the data, (length - 1) / (size - 1).
/// One element alone has no neighbour: length / size.
Term sampling_step(const Term& length, const Term& size, bool align_corners = false);

/// Rows of weights (f32 [size, length]) that add up to 1; rows of zeros stay.
Term normalized(const Term& weights);

/// Images [N, H, W, C], weights [height, H] and [width, W] -> [N, height, width, C].
Term resampled(const Term& images, const Term& vertical, const Term& horizontal);

}  // namespace mo::build
