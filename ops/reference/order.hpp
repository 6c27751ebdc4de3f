#pragma once

#include "ops/reference/number.hpp"

namespace mo::ops::reference {

/// A total order of numbers: NaN is larger than all others and equal to itself; -0.0 equals 0.0.
template <class T>
bool ordered_before(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b;
  } else {
    if (b != b) return a == a;
    return a < b;
  }
}

/// Calls `fn` with the type in which elements are compared: itself, and bytes for booleans.
template <class Fn>
auto visit_ordered(ElementType type, Fn&& fn) {
  return type == ElementType::boolean ? fn(std::type_identity<std::uint8_t>{}) : visit_number(type, fn);
}

/// Elements in the type that `visit_ordered` names.
template <class T>
const T* ordered_elements(const Tensor& tensor) {
  return reinterpret_cast<const T*>(tensor.bytes().data());
}

}  // namespace mo::ops::reference
