#pragma once

#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// A tensor for each Parameter, the same for the same seed: reals from -2 to 2 in steps of 1/16, whole numbers from 0
/// to 3 (u8: to 255), booleans of both kinds; indices, lengths and what is quantised lie in the range that their
/// readers ask for (range_asked_of). `shapes`: of the Parameters in their order; without them unknown dimensions are 2,
/// an unknown rank is 0. Errors: of an element type that holds no numbers.
Expected<std::vector<Tensor>> random_inputs(const Graph& graph, unsigned seed, const std::vector<Shape>& shapes = {});

}  // namespace mo::tools
