#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/tensor/tensor.hpp"

namespace mo::onnx {

/// The element type that an ONNX data type is here; nothing for UNDEFINED, complex numbers, 8-bit and 4-bit floats (of
/// which tensors can be read all the same: see SmallFloat) and unknown numbers.
std::optional<ElementType> element_type_of(std::int64_t data_type);

/// The ONNX data type of an element type; 0 when ONNX has none.
std::int64_t data_type_of(ElementType type);

/// "FLOAT8E4M3FN", "type 99" for a number that ONNX does not define.
std::string data_type_name(std::int64_t data_type);

/// How tensors of a floating-point type of 4 or 8 bits are read. The IR's element types do not cover them, but ONNX
/// only stores, moves, casts and (de)quantises such numbers, and a wider type holds each of them exactly.
struct SmallFloat {
  ElementType stored;   ///< the bit patterns: u8, or u4 with two numbers in each byte
  ElementType widened;  ///< f16; f32 for FLOAT8E8M0, whose exponents f16 does not reach
};

/// Nothing when the ONNX data type is none of FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT4E2M1 and
/// FLOAT8E8M0.
std::optional<SmallFloat> small_float_of(std::int64_t data_type);

/// The number that a bit pattern of such a type stands for.
float small_float_value(std::int64_t data_type, std::uint8_t bits);

/// The numbers of a tensor of bit patterns (of type `stored`), as `widened`. Error of `load` when the file cannot be
/// read.
Expected<Tensor> widen_small_floats(std::int64_t data_type, const Tensor& patterns);

}  // namespace mo::onnx
