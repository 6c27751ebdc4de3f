#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Arithmetic on two numbers.
enum class BinaryKind {
  add,
  subtract,
  multiply,
  power,
  maximum,
  minimum,
  mod,
  floor_mod,
  squared_difference,
  divide_floor,     ///< integers round towards minus infinity
  divide_truncate,  ///< integers round towards zero
};

/// Integer arithmetic that has no result. The output is not to be used then.
enum class ArithmeticFault { none, division_by_zero, quotient_too_large };

/// Numpy broadcasting; `a`, `b` and `out` have the same element type, `out` the broadcast shape.
/// Integers wrap around; reals follow IEEE 754, and NaN wins in maximum and minimum.
ArithmeticFault elementwise_binary(BinaryKind kind, const Tensor& a, const Tensor& b, Tensor& out);

}  // namespace mo::ops::reference
