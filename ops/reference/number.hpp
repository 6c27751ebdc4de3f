#pragma once

#include <cmath>
#include <limits>

#include "ops/reference/real.hpp"

namespace mo::ops::reference {

/// Calls `fn(std::type_identity<T>{})` for an integer element type of at least 8 bits (asserted).
template <class Fn>
auto visit_integer(ElementType type, Fn&& fn) {
  switch (type) {
    case ElementType::i8: return fn(std::type_identity<std::int8_t>{});
    case ElementType::i16: return fn(std::type_identity<std::int16_t>{});
    case ElementType::i32: return fn(std::type_identity<std::int32_t>{});
    case ElementType::u8: return fn(std::type_identity<std::uint8_t>{});
    case ElementType::u16: return fn(std::type_identity<std::uint16_t>{});
    case ElementType::u32: return fn(std::type_identity<std::uint32_t>{});
    case ElementType::u64: return fn(std::type_identity<std::uint64_t>{});
    default: break;
  }
  MO_ASSERT(type == ElementType::i64, "an integer element type is expected");
  return fn(std::type_identity<std::int64_t>{});
}

/// Calls `fn` for a real or an integer element type (asserted); booleans are not numbers.
template <class Fn>
auto visit_number(ElementType type, Fn&& fn) {
  return is_real(type) ? visit_real(type, fn) : visit_integer(type, fn);
}

/// What a number type is computed in: itself for integers and double, float for the shorter reals.
template <class T>
using Computed = std::conditional_t<std::is_integral_v<T>, T, Accumulator<T>>;

/// Integers wrap around as two's complement does: signed overflow would be undefined in C++. Narrow types are widened
/// to unsigned (not to int, whose product of two u16 overflows).
template <class T>
using Wrapping = std::conditional_t<sizeof(T) < sizeof(std::uint32_t), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  else
    return a + b;
}

template <class T>
T wrapping_subtract(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
  else
    return a - b;
}

template <class T>
T wrapping_multiply(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  else
    return a * b;
}

/// A real as an integer: truncated, limited to the range of T, 0 for NaN.
template <class T>
T saturated(double value) {
  if (std::isnan(value)) return 0;
  // The largest i64 and u64 round up to 2^63 and 2^64 as doubles, hence >=.
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

/// out[i] = fn(in[i]) for a real element type; `fn` works in float or double.
template <class Fn>
void map_real(const Tensor& in, Tensor& out, Fn fn) {
  visit_real(in.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto from = in.values<T>();
    const auto to = out.mutable_values<T>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<T>(fn(static_cast<Accumulator<T>>(from[i])));
  });
}

/// out[i] = fn(in[i]) for an integer element type.
template <class Fn>
void map_integer(const Tensor& in, Tensor& out, Fn fn) {
  visit_integer(in.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto from = in.values<T>();
    const auto to = out.mutable_values<T>();
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = fn(from[i]);
  });
}

/// Booleans as bytes: anything but 0 is true. (A `bool` read from a byte other than 0 and 1 would be undefined in C++.)
inline const std::uint8_t* boolean_bytes(const Tensor& tensor) {
  return reinterpret_cast<const std::uint8_t*>(tensor.bytes().data());
}
inline std::uint8_t* mutable_boolean_bytes(Tensor& tensor) {
  return reinterpret_cast<std::uint8_t*>(tensor.mutable_bytes().data());
}

}  // namespace mo::ops::reference
