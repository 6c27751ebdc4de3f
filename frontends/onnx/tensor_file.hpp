#pragma once

#include <string>

#include "frontends/onnx/tensor_reader.hpp"

namespace mo::onnx {

/// Reads a file that holds one serialized TensorProto, as input_0.pb and output_0.pb of ONNX's conformance tests do.
/// Errors: MO-ONNX-0051 (a sequence or an optional value instead), those of TensorReader and of reading files.
Expected<NamedTensor> read_tensor_file(const std::string& path);

}  // namespace mo::onnx
