#pragma once

#include <cstdint>

#include "core/tensor/tensor.hpp"

namespace mo {

/// Which elements of two tensors of one type and shape differ at all, and how far they are apart. Equal NaNs are no
/// difference.
struct ElementDifferences {
  std::int64_t differing = 0;  ///< elements
  double largest = 0;          ///< difference; infinite when only one of two elements is a number
  std::int64_t place = 0;      ///< of the largest one, in row-major order
  bool same() const { return differing == 0; }
};

/// Reads stretch by stretch: a file of weights is never in memory as a whole. Texts count as differing, with no size.
/// Element types and shapes are equal (asserted). Errors: of reading.
Expected<ElementDifferences> element_differences(const Tensor& a, const Tensor& b);

}  // namespace mo
