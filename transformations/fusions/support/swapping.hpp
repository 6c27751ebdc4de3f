#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// A tensor of rank 4 with dimensions 0 and 1 swapped: by a Transpose, or by a Reshape where one of them is 1.
Pat swapped(const Pat& x);

}  // namespace mo::transformations
