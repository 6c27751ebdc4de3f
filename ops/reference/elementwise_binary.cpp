#include "ops/reference/elementwise_binary.hpp"

#include "ops/reference/broadcast.hpp"
#include "ops/reference/number.hpp"

namespace mo::ops::reference {
namespace {

/// `fn` works in Computed<T>: T for integers, float or double for reals.
template <class T, class Fn>
void arithmetic_loop(const Tensor& a, const Tensor& b, Tensor& out, Fn fn) {
  using A = Computed<T>;
  broadcast_binary(a.values<T>().data(), a.shape(), b.values<T>().data(), b.shape(), out.mutable_values<T>().data(),
                   out.shape(),
                   [fn](const T& x, const T& y) { return static_cast<T>(fn(static_cast<A>(x), static_cast<A>(y))); });
}

/// base ^ exponent by squaring. A negative exponent: as pow on reals, then truncated (so 0, except for bases 1 and -1).
template <class T>
T integer_power(T base, T exponent) {
  if (exponent < 0) return saturated<T>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  T result = 1;
  for (auto left = static_cast<std::make_unsigned_t<T>>(exponent); left != 0;
       left = static_cast<decltype(left)>(left >> 1U)) {
    if ((left & 1U) != 0) result = wrapping_multiply(result, base);
    base = wrapping_multiply(base, base);
  }
  return result;
}

/// Whether a / b leaves the range: the lowest integer divided by -1.
template <class T>
bool quotient_overflows(T a, T b) {
  if constexpr (std::is_signed_v<T>) return a == std::numeric_limits<T>::min() && b == T(-1);
  return false;
}

template <class T>
T integer_divide(T a, T b, bool floor, ArithmeticFault& fault) {
  if (b == 0) return fault = ArithmeticFault::division_by_zero, T(0);
  if (quotient_overflows(a, b)) return fault = ArithmeticFault::quotient_too_large, T(0);
  const T quotient = static_cast<T>(a / b);
  return floor && a % b != 0 && (a < 0) != (b < 0) ? static_cast<T>(quotient - 1) : quotient;
}

/// The remainder has the sign of the dividend, or with `floor` that of the divisor.
template <class T>
T integer_remainder(T a, T b, bool floor, ArithmeticFault& fault) {
  if (b == 0) return fault = ArithmeticFault::division_by_zero, T(0);
  if (quotient_overflows(a, b)) return 0;
  const T remainder = static_cast<T>(a % b);
  return floor && remainder != 0 && (remainder < 0) != (b < 0) ? static_cast<T>(remainder + b) : remainder;
}

template <class A>
A real_floor_mod(A a, A b) {
  const A remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(A(0), b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

template <class T>
ArithmeticFault integer_division(BinaryKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  ArithmeticFault fault = ArithmeticFault::none;
  ArithmeticFault* const seen = &fault;
  const bool floor = kind == BinaryKind::divide_floor || kind == BinaryKind::floor_mod;
  if (kind == BinaryKind::mod || kind == BinaryKind::floor_mod)
    arithmetic_loop<T>(a, b, out, [=](T x, T y) { return integer_remainder(x, y, floor, *seen); });
  else
    arithmetic_loop<T>(a, b, out, [=](T x, T y) { return integer_divide(x, y, floor, *seen); });
  return fault;
}

template <class T>
void real_division(BinaryKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  using A = Computed<T>;
  switch (kind) {
    case BinaryKind::mod: return arithmetic_loop<T>(a, b, out, [](A x, A y) { return std::fmod(x, y); });
    case BinaryKind::floor_mod: return arithmetic_loop<T>(a, b, out, [](A x, A y) { return real_floor_mod(x, y); });
    default: return arithmetic_loop<T>(a, b, out, [](A x, A y) { return x / y; });
  }
}

template <class T>
ArithmeticFault arithmetic(BinaryKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  using A = Computed<T>;
  switch (kind) {
    case BinaryKind::add: arithmetic_loop<T>(a, b, out, [](A x, A y) { return wrapping_add(x, y); }); break;
    case BinaryKind::subtract: arithmetic_loop<T>(a, b, out, [](A x, A y) { return wrapping_subtract(x, y); }); break;
    case BinaryKind::multiply: arithmetic_loop<T>(a, b, out, [](A x, A y) { return wrapping_multiply(x, y); }); break;
    case BinaryKind::squared_difference:
      arithmetic_loop<T>(a, b, out, [](A x, A y) {
        const A difference = wrapping_subtract(x, y);
        return wrapping_multiply(difference, difference);
      });
      break;
    case BinaryKind::power:
      arithmetic_loop<T>(a, b, out, [](A x, A y) {
        if constexpr (std::is_integral_v<A>)
          return integer_power(x, y);
        else
          return std::pow(x, y);
      });
      break;
    // `x != x` holds for NaN only; a NaN in `y` loses no comparison but is what remains.
    case BinaryKind::maximum: arithmetic_loop<T>(a, b, out, [](A x, A y) { return x > y || x != x ? x : y; }); break;
    case BinaryKind::minimum: arithmetic_loop<T>(a, b, out, [](A x, A y) { return x < y || x != x ? x : y; }); break;
    case BinaryKind::mod:
    case BinaryKind::floor_mod:
    case BinaryKind::divide_floor:
    case BinaryKind::divide_truncate:
      if constexpr (std::is_integral_v<T>)
        return integer_division<T>(kind, a, b, out);
      else
        real_division<T>(kind, a, b, out);
      break;
  }
  return ArithmeticFault::none;
}

}  // namespace

ArithmeticFault elementwise_binary(BinaryKind kind, const Tensor& a, const Tensor& b, Tensor& out) {
  return visit_number(out.element_type(),
                      [&]<class T>(std::type_identity<T>) { return arithmetic<T>(kind, a, b, out); });
}

}  // namespace mo::ops::reference
