#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace mo::caffe {

/// Reads a mean image (a binary BlobProto): f32 of shape [channels, height, width].
/// Errors: MO-IO-000x, MO-IO-002x, MO-PB-000x, those of blobs, MO-CAFFE-0050 (not an image).
Expected<Tensor> read_mean_image(const std::string& path);

}  // namespace mo::caffe
