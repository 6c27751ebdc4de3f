#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/types/element_type.hpp"

namespace mo::onnx {

/// The element type that an ONNX data type is here; nothing for UNDEFINED, complex numbers, 8-bit and 4-bit floats and unknown numbers.
std::optional<ElementType> element_type_of(std::int64_t data_type);

/// "FLOAT8E4M3FN", "type 99" for a number that ONNX does not define.
std::string data_type_name(std::int64_t data_type);

}  // namespace mo::onnx
