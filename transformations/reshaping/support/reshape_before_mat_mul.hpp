#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// MatMul whose input `side` (0 or 1) is a Reshape to a matrix of constant sizes: the dimension that the product sums
/// over is taken from the shape of the other input, the other one is what is left.
Pass reshape_by_other_input(std::string name, std::size_t side);

}  // namespace mo::transformations
