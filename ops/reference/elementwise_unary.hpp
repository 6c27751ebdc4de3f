#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Functions of one number without parameters.
enum class UnaryKind {
  abs,
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  ceiling,
  cos,
  cosh,
  erf,
  exp,
  floor,
  hsigmoid,
  hswish,
  log,
  mish,
  negative,
  relu,
  sigmoid,
  sign,
  sin,
  sinh,
  soft_plus,
  soft_sign,
  sqrt,
  tan,
  tanh,
};

/// `out` is allocated with the type of `in`. Integers: abs, ceiling, floor, negative, relu and sign are exact; the
/// others are computed in double, rounded to the nearest integer and limited to the range of the type.
void elementwise_unary(UnaryKind kind, const Tensor& in, Tensor& out);

/// To the nearest integer; a half goes to the even neighbour, or away from zero.
void round(const Tensor& in, Tensor& out, bool half_to_even);

}  // namespace mo::ops::reference
