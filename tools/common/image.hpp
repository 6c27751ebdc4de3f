#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace mo::tools {

/// A picture (PNG or JPEG) as u8 [height, width, channels], top row first, channels 1 (grey), 3 (red, green, blue) or 4
/// (with opacity), converted from what the file has. Errors: MO-IO-000x (file), MO-RUN-0011 (no picture, a damaged one,
/// or this mo was built without pictures).
Expected<Tensor> read_image(const std::string& path, int channels);

/// Height and width without reading all of it; errors as above.
Expected<Shape> image_size(const std::string& path);

}  // namespace mo::tools
