#pragma once

#include <array>
#include <cstdint>

#include "core/types/element_type.hpp"

namespace mo {

/// Which bit patterns of a floating-point format are not finite.
enum class NonFinite : std::uint8_t {
  none,           ///< all are finite
  all_ones,       ///< "FN": only the largest magnitude, it is NaN
  negative_zero,  ///< "FNUZ": only the pattern of -0, it is NaN
  ieee,           ///< the largest exponent: infinite with a mantissa of 0, else NaN
};

/// Sign, exponent and mantissa of at most 8 bits.
struct SmallRealFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  NonFinite non_finite;
};

/// The value of a bit pattern, the sign above the exponent.
float small_real_value(const SmallRealFormat& format, std::uint8_t bits);

/// The values of all bit patterns of a type of is_small_real (asserted); one of 4 bits has 16.
const std::array<float, 256>& small_real_values(ElementType type);

/// What becomes of values above the largest finite one.
enum class BeyondLargest : std::uint8_t {
  as_runtimes_convert,  ///< f8e4m3: NaN, f8e5m2: infinite, others: the largest one
  largest,              ///< the largest finite value for finite ones; infinities as runtimes convert them
};

/// The bit pattern of the value of `type` that is nearest to `x`, of two the even one, as OpenVINO converts: 8-bit
/// floats are rounded to f16 first; f8e8m0 has no numbers below 2^-127, which becomes of negative ones, too;
/// NaN is the largest magnitude of f4e2m1 and -1 of nf4.
std::uint8_t nearest_small_real(ElementType type, float x, BeyondLargest beyond = BeyondLargest::as_runtimes_convert);

}  // namespace mo
