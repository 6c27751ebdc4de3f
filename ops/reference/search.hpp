#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// For each value the number of elements before it in the ascending row of `sorted` that belongs to it: those less than
/// it, or with `after_equal` also those equal to it. `sorted` is one row for all, or has one row for each row of
/// `values`. `out` holds i32 or i64. Numbers of different types are compared as integers when both are, else as
/// doubles. Errors: those of converting them.
Expected<void> search_sorted(const Tensor& sorted, const Tensor& values, bool after_equal, Tensor& out);

}  // namespace mo::ops::reference
