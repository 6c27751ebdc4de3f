#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace mo::ops::reference {

/// e^x for |x| < 700, with a relative error below 1e-12: 2^n times the series of what is left. Without branches or
/// calls, so that a compiler makes vectors of it; the same bits on every machine and with every C library.
inline double exponential_of_double(double x) {
  constexpr double kWhole = 0x1.8p52;  // what is added to it loses its fraction; the whole number is in the lowest bits
  const double shifted = x * 0x1.71547652b82fep0 + kWhole;  // / ln 2
  const double rest = x - (shifted - kWhole) * 0x1.62e42fefa39efp-1;
  const double high =
      ((((rest * (1.0 / 3628800) + 1.0 / 362880) * rest + 1.0 / 40320) * rest + 1.0 / 5040) * rest + 1.0 / 720);
  const double series =
      ((((high * rest + 1.0 / 120) * rest + 1.0 / 24) * rest + 1.0 / 6) * rest + 0.5) * rest * rest + rest + 1;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(series) + (std::bit_cast<std::uint64_t>(shifted) << 52U));
}

/// e^x. For float, the sum above is rounded once.
template <class A>
A exponential(A x) {
  if constexpr (std::is_same_v<A, float>) {
    const float limited = x > 89.0F ? 89.0F : x < -104.0F ? -104.0F : x;  // infinity and 0 of a float; NaN stays NaN
    return static_cast<float>(exponential_of_double(limited));
  } else {
    return std::exp(x);
  }
}

template <class A>
A hyperbolic_tangent(A x) {
  if constexpr (std::is_same_v<A, float>) {
    const float distance = std::abs(x) > 20.0F ? 20.0F : std::abs(x);
    const double e = exponential_of_double(2.0 * distance);
    const float result = distance < 0x1p-12F ? distance : static_cast<float>((e - 1) / (e + 1));
    return std::copysign(result, x);
  } else {
    return std::tanh(x);
  }
}

}  // namespace mo::ops::reference
