#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

enum class LogicalKind { and_, or_, xor_ };

/// Numpy broadcasting on booleans; every result byte is 0 or 1.
void logical_binary(LogicalKind kind, const Tensor& a, const Tensor& b, Tensor& out);
void logical_not(const Tensor& in, Tensor& out);

}  // namespace mo::ops::reference
