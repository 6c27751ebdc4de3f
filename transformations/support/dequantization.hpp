#pragma once

#include "core/graph/graph.hpp"

namespace mo::transformations {

/// x -> Convert -> (Subtract) -> this Multiply, where the Convert is of quantised integers: kept for low precision.
bool is_dequantization(const Node& multiply);

}  // namespace mo::transformations
