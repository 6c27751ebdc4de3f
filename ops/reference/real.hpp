#pragma once

#include "core/tensor/visit.hpp"

namespace mo::ops::reference {

/// What kernels compute in: double for f64, float for the other reals.
template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Calls `fn(std::type_identity<T>{})` for a real element type (asserted): keeps kernels of real functions small.
template <class Fn>
auto visit_real(ElementType type, Fn&& fn) {
  switch (type) {
    case ElementType::bf16: return fn(std::type_identity<bfloat16>{});
    case ElementType::f16: return fn(std::type_identity<float16>{});
    case ElementType::f64: return fn(std::type_identity<double>{});
    default: break;
  }
  MO_ASSERT(type == ElementType::f32, "a real element type is expected");
  return fn(std::type_identity<float>{});
}

}  // namespace mo::ops::reference
