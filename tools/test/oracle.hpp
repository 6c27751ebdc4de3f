#pragma once

#include <string>

#include "core/comparison/closeness.hpp"
#include "core/graph/graph.hpp"
#include "tools/test/case.hpp"

namespace mo::test {

/// A line about what is not the same in two tensors (difference_of); empty when nothing is.
std::string difference(const Tensor& got, const Tensor& want, const Closeness& closeness);

/// Both graphs give the same numbers for the same random inputs, within closeness::kReorderedFew. Dynamic shapes are
/// tried with several lengths and ranks, of which those count that the graph before the passes accepts; integers are
/// any, or 0 and 1, only 1, or 0, 1, 2 … where it accepts no others (indices, sizes, orders). Counts what was compared
/// and what could not be, and keeps the reason.
std::string compare_numbers(const Graph& before, const Graph& after);

}  // namespace mo::test
