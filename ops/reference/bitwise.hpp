#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

enum class BitwiseKind { and_, or_, xor_, left_shift, right_shift };

/// Numpy broadcasting. Integers; and, or, xor also booleans. Shifting by the width of the type or more shifts every bit
/// out (a right shift of a negative number leaves -1); false when some shift is negative, which has no meaning.
bool bitwise_binary(BitwiseKind kind, const Tensor& a, const Tensor& b, Tensor& out);
/// Integers, and booleans (logical negation).
void bitwise_not(const Tensor& in, Tensor& out);

}  // namespace mo::ops::reference
