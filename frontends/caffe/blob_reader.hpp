#pragma once

#include <string>

#include "core/tensor/tensor.hpp"
#include "frontends/caffe/prototxt.hpp"
#include "frontends/common/wire.hpp"

namespace mo::caffe {

/// A BlobProto as a tensor f32. Packed values stay where they are: a range of the file. The older form (num, channels,
/// height, width) has four dimensions; a blob without a shape is a vector. `owner` says whose blob it is, for messages.
/// Errors: MO-CAFFE-0022 (impossible shape), MO-CAFFE-0023 (another number of values than the shape has), MO-CAFFE-0024
/// (no values, or in a form that only a fork knows), MO-PB-000x.
Expected<Tensor> read_blob(frontends::WireSource& source, const frontends::WireField& message,
                           const std::string& owner);
/// The same from text, at a place of it.
Expected<Tensor> read_blob(const TextMessage& message, const std::string& owner);

}  // namespace mo::caffe
