#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/tensor/tensor.hpp"

namespace mo::onnx {

/// The element type that an ONNX data type is here; nothing for UNDEFINED, complex numbers, types of which tensors are
/// widened (see WidenedType), and unknown numbers.
std::optional<ElementType> element_type_of(std::int64_t data_type);

/// The ONNX data type of an element type; 0 when ONNX has none.
std::int64_t data_type_of(ElementType type);

/// "FLOAT8E4M3FN", "type 99" for a number that ONNX does not define.
std::string data_type_name(std::int64_t data_type);

/// How constants of a type are read that the IR's element types do not cover: as a wider one, which holds each of their
/// values exactly.
struct WidenedType {
  ElementType stored;  ///< the bit patterns
  ElementType widened;
};

/// Nothing when the ONNX data type is none of FLOAT8E4M3FNUZ, FLOAT8E5M2FNUZ and INT2.
std::optional<WidenedType> widened_type_of(std::int64_t data_type);

/// The numbers of a tensor of bit patterns (of type `stored`), as `widened`. Error of `load` when the file cannot be
/// read.
Expected<Tensor> widened(std::int64_t data_type, const Tensor& patterns);

}  // namespace mo::onnx
