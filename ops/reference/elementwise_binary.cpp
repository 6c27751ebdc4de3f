#include "ops/reference/elementwise_binary.hpp"

#include <algorithm>

#include "ops/reference/number.hpp"
#include "ops/reference/stretches.hpp"

namespace mo::ops::reference {
namespace {

/// The range of an element type that is narrower than what it is computed in.
template <class W>
struct Range {
  W lowest;
  W highest;
};

template <class W>
Range<W> range_of(ElementType type) {
  if constexpr (std::is_integral_v<W>)
    return visit_integer(type, []<class T>(std::type_identity<T>) -> Range<W> {
      return {static_cast<W>(std::numeric_limits<T>::min()), static_cast<W>(std::numeric_limits<T>::max())};
    });
  else
    return {};
}

/// base ^ exponent by squaring. A negative exponent: as pow on reals, then truncated (so 0, except for bases 1 and -1,
/// and the highest number for base 0).
template <class W>
W integer_power(W base, W exponent, W highest) {
  if (exponent < 0)
    return std::min(saturated<W>(std::pow(static_cast<double>(base), static_cast<double>(exponent))), highest);
  W result = 1;
  for (auto left = static_cast<std::make_unsigned_t<W>>(exponent); left != 0; left >>= 1U) {
    if ((left & 1U) != 0) result = wrapping_multiply(result, base);
    base = wrapping_multiply(base, base);
  }
  return result;
}

/// Whether a / b leaves the range: the lowest integer divided by -1.
template <class W>
bool quotient_overflows(W a, W b, W lowest) {
  if constexpr (std::is_signed_v<W>) return a == lowest && b == W(-1);
  return false;
}

template <class W>
W integer_divide(W a, W b, W lowest, bool floor, ArithmeticFault& fault) {
  if (b == 0) return fault = ArithmeticFault::division_by_zero, W(0);
  if (quotient_overflows(a, b, lowest)) return fault = ArithmeticFault::quotient_too_large, W(0);
  const W quotient = a / b;
  return floor && a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// The remainder has the sign of the dividend, or with `floor` that of the divisor.
template <class W>
W integer_remainder(W a, W b, W lowest, bool floor, ArithmeticFault& fault) {
  if (b == 0) return fault = ArithmeticFault::division_by_zero, W(0);
  if (quotient_overflows(a, b, lowest)) return 0;
  const W remainder = a % b;
  return floor && remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

template <class A>
A real_floor_mod(A a, A b) {
  const A remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(A(0), b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

template <class W>
void integer_division(BinaryKind kind, const PairStretch<W>& s, const Range<W>& range, W* out, ArithmeticFault& fault) {
  const bool floor = kind == BinaryKind::divide_floor || kind == BinaryKind::floor_mod;
  ArithmeticFault* const seen = &fault;
  const W lowest = range.lowest;
  if (kind == BinaryKind::mod || kind == BinaryKind::floor_mod)
    map_pairs(s, out, [=](W x, W y) { return integer_remainder(x, y, lowest, floor, *seen); });
  else
    map_pairs(s, out, [=](W x, W y) { return integer_divide(x, y, lowest, floor, *seen); });
}

template <class W>
void real_division(BinaryKind kind, const PairStretch<W>& s, W* out) {
  switch (kind) {
    case BinaryKind::mod: return map_pairs(s, out, [](W x, W y) { return std::fmod(x, y); });
    case BinaryKind::floor_mod: return map_pairs(s, out, [](W x, W y) { return real_floor_mod(x, y); });
    default: return map_pairs(s, out, [](W x, W y) { return x / y; });
  }
}

/// Integers are computed modulo 2^32 or 2^64, so their lowest bits are those of the narrower type.
template <class W>
void arithmetic(BinaryKind kind, const PairStretch<W>& s, const Range<W>& range, W* out, ArithmeticFault& fault) {
  switch (kind) {
    case BinaryKind::add: return map_pairs(s, out, [](W x, W y) { return wrapping_add(x, y); });
    case BinaryKind::subtract: return map_pairs(s, out, [](W x, W y) { return wrapping_subtract(x, y); });
    case BinaryKind::multiply: return map_pairs(s, out, [](W x, W y) { return wrapping_multiply(x, y); });
    case BinaryKind::squared_difference:
      return map_pairs(s, out, [](W x, W y) {
        const W difference = wrapping_subtract(x, y);
        return wrapping_multiply(difference, difference);
      });
    case BinaryKind::power:
      return map_pairs(s, out, [highest = range.highest](W x, W y) {
        if constexpr (std::is_integral_v<W>)
          return integer_power(x, y, highest);
        else
          return std::pow(x, y);
      });
    // `x != x` holds for NaN only; a NaN in `y` loses no comparison but is what remains.
    case BinaryKind::maximum: return map_pairs(s, out, [](W x, W y) { return x > y || x != x ? x : y; });
    case BinaryKind::minimum: return map_pairs(s, out, [](W x, W y) { return x < y || x != x ? x : y; });
    case BinaryKind::mod:
    case BinaryKind::floor_mod:
    case BinaryKind::divide_floor:
    case BinaryKind::divide_truncate: break;
  }
  if constexpr (std::is_integral_v<W>)
    integer_division(kind, s, range, out, fault);
  else
    real_division(kind, s, out);
}

}  // namespace

ArithmeticFault elementwise_binary(BinaryKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  ArithmeticFault fault = ArithmeticFault::none;
  visit_widened(out.element_type(), [&]<class W>(std::type_identity<W>) {
    const Range<W> range = range_of<W>(out.element_type());
    NarrowedElements<W> results(out);
    for_each_pair_stretch<W>(a, b, out.shape(), [&](const PairStretch<W>& stretch) {
      arithmetic(kind, stretch, range, results.place(stretch.first), fault);
      results.store(stretch.first, stretch.count);
    });
  });
  return fault;
}

}  // namespace mo::ops::reference
