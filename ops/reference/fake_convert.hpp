#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// A floating-point format of 8 bits.
struct Float8Format {
  int mantissa_bits = 0;
  int least_exponent = 0;  ///< of numbers that are not subnormal
  float largest = 0;
};
inline constexpr Float8Format kFloat8e4m3{.mantissa_bits = 3, .least_exponent = -6, .largest = 448};
inline constexpr Float8Format kFloat8e5m2{.mantissa_bits = 2, .least_exponent = -14, .largest = 57344};

/// (f8(data * scale - shift) + shift) / scale; `scale` and `shift` broadcast to the data. Runtimes round to f16 before
/// they round to 8 bits, and so does this. NaN stays, infinities become the largest number.
void fake_convert(const Tensor& data, const Tensor& scale, const Tensor& shift, const Float8Format& format,
                  Tensor& out);

}  // namespace mo::ops::reference
