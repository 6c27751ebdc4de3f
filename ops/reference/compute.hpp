#pragma once

#include "core/tensor/visit.hpp"
#include "ops/reference/real.hpp"

namespace mo::ops::reference {

/// The type in which sums of products of a T are computed: f64 in f64, the other reals in f32, integers modulo 2^32 or
/// 2^64, which is exact and gives the result that two's complement arithmetic of the element type has.
template <class T>
using Compute = std::conditional_t<!std::is_integral_v<T>, Accumulator<T>,
                                   std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>>;

inline ElementType compute_type(ElementType type) {
  if (type == ElementType::f64) return type;
  if (is_real(type)) return ElementType::f32;
  return bit_width(type) <= 32 ? ElementType::u32 : ElementType::u64;
}

/// `tensor` in its compute type (integers sign-extended); itself when it has that type already. Numbers of at least 8
/// bits.
Expected<Tensor> to_compute(const Tensor& tensor);
/// The inverse: rounds reals, cuts integers.
void from_compute(const Tensor& computed, Tensor& out);

template <class Fn>
auto visit_compute(ElementType type, Fn&& fn) {
  switch (type) {
    case ElementType::f64: return fn(std::type_identity<double>{});
    case ElementType::u32: return fn(std::type_identity<std::uint32_t>{});
    case ElementType::u64: return fn(std::type_identity<std::uint64_t>{});
    default: break;
  }
  MO_ASSERT(type == ElementType::f32, "not a compute type");
  return fn(std::type_identity<float>{});
}

/// Runs `fn(Tensor& target)` with a target of the compute type: `out` itself, or zeros that are converted into `out`
/// afterwards.
template <class Fn>
Expected<void> compute_into(Tensor& out, Fn&& fn) {
  const ElementType type = compute_type(out.element_type());
  if (type == out.element_type()) return fn(out);
  MO_ASSIGN(Tensor computed, Tensor::allocate(type, out.shape()));
  MO_TRY(fn(computed));
  from_compute(computed, out);
  return {};
}

}  // namespace mo::ops::reference
