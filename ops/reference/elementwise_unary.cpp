#include "ops/reference/elementwise_unary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "ops/reference/exponential.hpp"
#include "ops/reference/number.hpp"
#include "ops/reference/stretches.hpp"
#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {
namespace {

/// log(1 + e^x) without overflow for large x.
template <class A>
A soft_plus(A x) {
  return (x > 0 ? x : A(0)) + std::log1p(std::exp(-std::abs(x)));
}

/// The exponential never overflows.
template <class A>
A sigmoid(A x) {
  const A e = exponential(-std::abs(x));
  return (x >= 0 ? 1 : e) / (1 + e);
}

/// min(max(x + 3, 0), 6) / 6; NaN stays NaN.
template <class A>
A hsigmoid(A x) {
  const A shifted = x + 3;
  return (shifted < 0 ? A(0) : shifted > 6 ? A(6) : shifted) / 6;
}

/// A function that compilers make vectors of.
template <class Function>
struct Vectorised : Function {
  explicit Vectorised(Function function) : Function(function) {}
  static constexpr bool kVectorised = true;
};

/// Calls `fn` with the function of real numbers that `kind` is: one place that knows them all, a loop per function and
/// type.
template <class Fn>
void with_real_function(UnaryKind kind, Fn fn) {
  switch (kind) {
    case UnaryKind::abs: return fn([](auto x) { return std::abs(x); });
    case UnaryKind::acos: return fn([](auto x) { return std::acos(x); });
    case UnaryKind::acosh: return fn([](auto x) { return std::acosh(x); });
    case UnaryKind::asin: return fn([](auto x) { return std::asin(x); });
    case UnaryKind::asinh: return fn([](auto x) { return std::asinh(x); });
    case UnaryKind::atan: return fn([](auto x) { return std::atan(x); });
    case UnaryKind::atanh: return fn([](auto x) { return std::atanh(x); });
    case UnaryKind::ceiling: return fn([](auto x) { return std::ceil(x); });
    case UnaryKind::cos: return fn([](auto x) { return std::cos(x); });
    case UnaryKind::cosh: return fn([](auto x) { return std::cosh(x); });
    case UnaryKind::erf: return fn([](auto x) { return std::erf(x); });
    case UnaryKind::exp: return fn(Vectorised([](auto x) { return exponential(x); }));
    case UnaryKind::floor: return fn([](auto x) { return std::floor(x); });
    case UnaryKind::hsigmoid: return fn([](auto x) { return hsigmoid(x); });
    case UnaryKind::hswish: return fn([](auto x) { return x * hsigmoid(x); });
    case UnaryKind::log: return fn([](auto x) { return std::log(x); });
    case UnaryKind::mish: return fn([](auto x) { return x * std::tanh(soft_plus(x)); });
    case UnaryKind::negative: return fn([](auto x) { return -x; });
    case UnaryKind::relu: return fn([](auto x) { return x < 0 ? decltype(x)(0) : x; });  // NaN stays NaN
    case UnaryKind::sigmoid: return fn(Vectorised([](auto x) { return sigmoid(x); }));
    // 0, -0 and NaN as they are
    case UnaryKind::sign: return fn([](auto x) { return x > 0 ? decltype(x)(1) : x < 0 ? decltype(x)(-1) : x; });
    case UnaryKind::sin: return fn([](auto x) { return std::sin(x); });
    case UnaryKind::sinh: return fn([](auto x) { return std::sinh(x); });
    case UnaryKind::soft_plus: return fn([](auto x) { return soft_plus(x); });
    case UnaryKind::soft_sign: return fn([](auto x) { return x / (1 + std::abs(x)); });
    case UnaryKind::sqrt: return fn([](auto x) { return std::sqrt(x); });
    case UnaryKind::tan: return fn([](auto x) { return std::tan(x); });
    case UnaryKind::tanh: return fn(Vectorised([](auto x) { return hyperbolic_tangent(x); }));
  }
  MO_ASSERT(false, "an unknown unary function");
}

void copy_bytes(const Tensor& in, Tensor& out) {
  std::copy(in.bytes().begin(), in.bytes().end(), out.mutable_bytes().begin());
}

void read_reals(const Tensor& integers, std::int64_t first, std::span<double> numbers) {
  visit_integer(integers.element_type(), [&]<class T>(std::type_identity<T>) {
    const T* from = integers.values<T>().data() + first;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(from[i]);
  });
}

void write_saturated(std::span<const double> numbers, Tensor& integers, std::int64_t first) {
  visit_integer(integers.element_type(), [&]<class T>(std::type_identity<T>) {
    T* to = integers.mutable_values<T>().data() + first;
    for (std::size_t i = 0; i < numbers.size(); ++i) to[i] = saturated<T>(numbers[i]);
  });
}

void integer_unary(UnaryKind kind, const Tensor& in, Tensor& out) {
  switch (kind) {
    case UnaryKind::ceiling:
    case UnaryKind::floor: return copy_bytes(in, out);
    case UnaryKind::abs:
      return map_integer(in, out, []<class T>(T x) { return x < 0 ? wrapping_subtract(T(0), x) : x; });
    case UnaryKind::negative: return map_integer(in, out, []<class T>(T x) { return wrapping_subtract(T(0), x); });
    case UnaryKind::relu: return map_integer(in, out, []<class T>(T x) { return x < 0 ? T(0) : x; });
    case UnaryKind::sign: return map_integer(in, out, []<class T>(T x) { return static_cast<T>((x > 0) - (x < 0)); });
    default: break;
  }
  // As on reals of f64, rounded.
  std::array<double, kStretch> numbers;
  with_real_function(kind, [&](auto function) {
    for (std::int64_t first = 0; first < in.element_count(); first += kStretch) {
      const std::span<double> stretch(numbers.data(),
                                      static_cast<std::size_t>(std::min(kStretch, in.element_count() - first)));
      read_reals(in, first, stretch);
      for (double& each : stretch) each = std::round(function(each));
      write_saturated(stretch, out, first);
    }
  });
}

}  // namespace

void elementwise_unary(UnaryKind kind, const Tensor& in, Tensor& out) {
  if (!is_real(in.element_type())) return integer_unary(kind, in, out);
  with_real_function(kind, [&]<class Function>(Function function) {
    if constexpr (requires { Function::kVectorised; })
      map_real_vectorised(in, out, function);
    else
      map_real(in, out, function);
  });
}

void round(const Tensor& in, Tensor& out, bool half_to_even) {
  if (!is_real(in.element_type())) return copy_bytes(in, out);
  if (half_to_even)
    // the default rounding mode of the process is never changed
    map_real(in, out, [](auto x) { return std::nearbyint(x); });
  else
    map_real(in, out, [](auto x) { return std::round(x); });
}

}  // namespace mo::ops::reference
