#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

enum class ComparisonKind { equal, not_equal, greater, greater_equal, less, less_equal };

/// Numpy broadcasting; `a` and `b` have the same element type (any), `out` is boolean. Reals: IEEE 754, so NaN differs
/// from everything. false < true; strings compare byte by byte. Fails only where the bytes of a tensor are inconsistent
/// (strings, MO-CORE-0003).
Expected<void> compare(ComparisonKind kind, const Tensor& a, const Tensor& b, Tensor& out);

}  // namespace mo::ops::reference
