#include "core/tensor/small_real.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/diagnostics/assert.hpp"
#include "core/tensor/half.hpp"

namespace mo {
namespace {

constexpr SmallRealFormat kF4e2m1{2, 1, 1, NonFinite::none};
constexpr SmallRealFormat kF8e4m3{4, 3, 7, NonFinite::all_ones};
constexpr SmallRealFormat kF8e5m2{5, 2, 15, NonFinite::ieee};

constexpr std::uint8_t kNanOfF8e8m0 = 255;

/// Quantiles of the normal distribution (QLoRA, appendix E), as OpenVINO has them.
constexpr std::array<float, 16> kNf4 = {
    -1.0F,         -0.696192801F, -0.525073051F, -0.394917488F, -0.284441382F, -0.18477343F, -0.0910500363F, 0.0F,
    0.0795802996F, 0.160930201F,  0.246112302F,  0.337915242F,  0.440709829F,  0.562617004F, 0.722956836F,   1.0F};
/// The largest numbers that become the value at the same position of kNf4. Most lie half-way to the next one; the
/// others were found by asking OpenVINO.
constexpr std::array<float, 15> kLimitsOfNf4 = {-0.84809643F,  -0.610632896F, -0.45999527F,   -0.33967942F,
                                                -0.234607399F, -0.137911737F, -0.0455250181F, 0.0397901498F,
                                                0.120255254F,  0.203521252F,  0.292013764F,   0.389312536F,
                                                0.501663387F,  0.64278692F,   0.861478388F};

const SmallRealFormat& format_of(ElementType type) {
  if (type == ElementType::f4e2m1) return kF4e2m1;
  if (type == ElementType::f8e4m3) return kF8e4m3;
  MO_ASSERT(type == ElementType::f8e5m2, "not a type with a mantissa");
  return kF8e5m2;
}

float value_of_pattern(ElementType type, std::uint8_t bits) {
  if (type == ElementType::nf4) return kNf4[bits % kNf4.size()];
  if (type == ElementType::f8e8m0)
    return bits == kNanOfF8e8m0 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0F, bits - 127);
  return small_real_value(format_of(type), bits);
}

std::array<float, 256> table_of(ElementType type) {
  std::array<float, 256> table{};
  const std::size_t count = std::size_t{1} << bit_width(type);
  for (std::size_t i = 0; i < count; ++i) table[i] = value_of_pattern(type, static_cast<std::uint8_t>(i));
  return table;
}

std::uint8_t nearest_of_format(const SmallRealFormat& format, float x, BeyondLargest beyond) {
  const int magnitude_bits = format.exponent_bits + format.mantissa_bits;
  const int all_ones = (1 << magnitude_bits) - 1;
  const int sign = std::signbit(x) ? 1 << magnitude_bits : 0;
  const int infinite = ((1 << format.exponent_bits) - 1) << format.mantissa_bits;
  const bool has_infinity = format.non_finite == NonFinite::ieee;
  // The first pattern that is not a finite number.
  const int end = has_infinity ? infinite : format.non_finite == NonFinite::all_ones ? all_ones : all_ones + 1;
  const auto pattern = [&](int magnitude) { return static_cast<std::uint8_t>(sign | magnitude); };
  if (std::isnan(x)) {
    const int quiet = infinite | 1 << (format.mantissa_bits - 1);
    return pattern(has_infinity ? quiet : all_ones);
  }
  int magnitude = end;
  if (std::isfinite(x)) {
    const int least = 1 - format.bias;
    const int exponent = x == 0 ? least : std::max(std::ilogb(x), least);
    // Whole steps of the last bit, the hidden one of the mantissa among them: a carry goes into the exponent.
    const double steps = std::nearbyint(std::ldexp(std::abs(static_cast<double>(x)), format.mantissa_bits - exponent));
    if (exponent + format.bias <= 1 << format.exponent_bits)
      magnitude = ((exponent - least) << format.mantissa_bits) + static_cast<int>(steps);
    if (magnitude < end) return pattern(magnitude);
    if (beyond == BeyondLargest::largest) return pattern(end - 1);
  }
  if (format.non_finite == NonFinite::none) return pattern(all_ones);
  return pattern(has_infinity ? infinite : all_ones);
}

std::uint8_t nearest_power(float x) {
  if (std::isnan(x)) return kNanOfF8e8m0;
  if (x <= 0) return 0;
  constexpr std::uint32_t kMantissaBits = 23;
  constexpr std::uint32_t kHalf = 1U << (kMantissaBits - 1);
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t exponent = bits >> kMantissaBits;
  const std::uint32_t mantissa = bits & ((1U << kMantissaBits) - 1);
  // Below 2^-126 a number has no hidden bit: the mantissa alone says how near the two least powers are.
  const std::uint32_t half = exponent == 0 ? kHalf + kHalf / 2 : kHalf;
  const bool up = mantissa > half || (mantissa == half && exponent % 2 == 1);
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(exponent + (up ? 1 : 0), kNanOfF8e8m0 - 1));
}

}  // namespace

float small_real_value(const SmallRealFormat& format, std::uint8_t bits) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const int magnitude_bits = format.exponent_bits + format.mantissa_bits;
  const int largest = (1 << magnitude_bits) - 1;
  const int magnitude = bits & largest;
  const bool negative = ((bits >> magnitude_bits) & 1) != 0;
  const int exponent = magnitude >> format.mantissa_bits;
  const int mantissa = magnitude & ((1 << format.mantissa_bits) - 1);
  switch (format.non_finite) {
    case NonFinite::none: break;
    case NonFinite::all_ones:
      if (magnitude == largest) return kNan;
      break;
    case NonFinite::negative_zero:
      if (negative && magnitude == 0) return kNan;
      break;
    case NonFinite::ieee:
      if (exponent != (1 << format.exponent_bits) - 1) break;
      if (mantissa != 0) return kNan;
      return negative ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  }
  // An exponent of 0 means 1, without the hidden leading one.
  const int significand = exponent == 0 ? mantissa : mantissa | (1 << format.mantissa_bits);
  const float value =
      std::ldexp(static_cast<float>(significand), std::max(exponent, 1) - format.bias - format.mantissa_bits);
  return negative ? -value : value;
}

const std::array<float, 256>& small_real_values(ElementType type) {
  static const std::array<float, 256> nf4 = table_of(ElementType::nf4);
  static const std::array<float, 256> f4e2m1 = table_of(ElementType::f4e2m1);
  static const std::array<float, 256> f8e4m3 = table_of(ElementType::f8e4m3);
  static const std::array<float, 256> f8e5m2 = table_of(ElementType::f8e5m2);
  static const std::array<float, 256> f8e8m0 = table_of(ElementType::f8e8m0);
  switch (type) {
    case ElementType::nf4: return nf4;
    case ElementType::f4e2m1: return f4e2m1;
    case ElementType::f8e4m3: return f8e4m3;
    case ElementType::f8e5m2: return f8e5m2;
    default: break;
  }
  MO_ASSERT(type == ElementType::f8e8m0, "not a real type of at most 8 bits");
  return f8e8m0;
}

std::uint8_t nearest_small_real(ElementType type, float x, BeyondLargest beyond) {
  switch (type) {
    case ElementType::nf4:  // of NaN, no comparison is true
      return static_cast<std::uint8_t>(
          std::count_if(kLimitsOfNf4.begin(), kLimitsOfNf4.end(), [x](float limit) { return x > limit; }));
    case ElementType::f8e8m0: return nearest_power(x);
    case ElementType::f4e2m1: return nearest_of_format(kF4e2m1, x, beyond);
    default: break;
  }
  const auto half = static_cast<float>(static_cast<float16>(x));
  const bool overflows = std::isinf(half) && std::isfinite(x) && beyond == BeyondLargest::largest;
  return nearest_of_format(format_of(type), overflows ? x : half, beyond);
}

}  // namespace mo
