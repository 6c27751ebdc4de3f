#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// A tensor for each Parameter, the same for the same seed: reals from -2 to 2 in steps of 1/16, whole numbers from 0 to 3, booleans of both kinds.
/// Unknown dimensions are 2, an unknown rank is 0. Errors: of an element type that holds no numbers.
Expected<std::vector<Tensor>> random_inputs(const Graph& graph, unsigned seed);

/// How far tensors may be apart: |a - b| <= tolerance * (1 + |b|). Two NaNs are equal.
struct Tolerance {
  double real = 2e-4;
  double half = 2e-2;  ///< f16, bf16
};

/// What differs, with the largest difference and its place; nothing when they are close.
std::optional<std::string> tensors_differ(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance = {});

}  // namespace mo::tools
