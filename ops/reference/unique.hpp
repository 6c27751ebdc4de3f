#pragma once

#include "core/tensor/tensor.hpp"

namespace mo::ops::reference {

/// Groups of equal slices.
struct UniqueSlices {
  std::vector<std::int64_t> first;  ///< by group: the first slice of it
  std::vector<std::int64_t> count;  ///< by group: how many slices it has
  std::vector<std::int64_t> place;  ///< by slice: its group
};

/// Compares the slices along `axis`, element by element in row-major order (NaN is larger than every number and equals
/// itself). Groups are in ascending order when `sorted`, else in that of their first slices.
UniqueSlices unique_slices(const Tensor& data, std::int64_t axis, bool sorted);

}  // namespace mo::ops::reference
