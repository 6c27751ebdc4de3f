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

/// Keys of elements: integers that compare as `ordered_before` does, so one algorithm serves all types of at least 8
/// bits. Booleans count as bytes. keys[r * columns + c] is that of the element `from` + r * step + c.
void order_keys(const Tensor& tensor, std::int64_t from, std::int64_t rows, std::int64_t step, std::int64_t columns,
                std::int64_t* keys);

}  // namespace mo::ops::reference
