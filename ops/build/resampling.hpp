#pragma once

#include <string_view>

#include "ops/build/term.hpp"

/// Resizing as two products with matrices of weights, for filters that Interpolate does not have.
namespace mo::build {

/// The weight of an element at a distance (in elements), by TensorFlow's filter of that name: lanczos1, lanczos3,
/// lanczos5, gaussian, box, keyscubic, mitchellcubic, or triangle.
Term sampling_kernel(std::string_view name, const Term& distance);

/// Rows of weights (f32 [size, length]) that add up to 1; rows of zeros stay.
Term normalized(const Term& weights);

/// Images [N, H, W, C], weights [height, H] and [width, W] -> [N, height, width, C].
Term resampled(const Term& images, const Term& vertical, const Term& horizontal);

}  // namespace mo::build
