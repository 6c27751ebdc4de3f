#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// A tensor for each Parameter, the same for the same seed: reals from -2 to 2 in steps of 1/16, whole numbers from 0
/// to 3 (u8: to 255), booleans of both kinds; indices, lengths and what is quantised lie in the range that their
/// readers ask for (range_asked_of). `shapes`: of the Parameters in their order; without them unknown dimensions are 2,
/// an unknown rank is 0. Errors: of an element type that holds no numbers.
Expected<std::vector<Tensor>> random_inputs(const Graph& graph, unsigned seed, const std::vector<Shape>& shapes = {});

/// How far reals may be from what is expected: absolute + relative * |expected|. By default what ONNX asks for in its
/// own tests.
struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-7;
};

/// What rounding may do to a result when the same is computed in another order or by other operators.
Tolerance rounding_of(ElementType type);

/// The first difference, in words; nothing when the tensors agree. Element type and shape must be the same; reals may
/// be apart by the tolerance (NaN equals NaN, infinities are equal by sign); integers, booleans and strings must be
/// equal. Errors: of loading.
Expected<std::optional<std::string>> tensors_differ(const Tensor& actual, const Tensor& expected,
                                                    const Tolerance& tolerance = {});

}  // namespace mo::tools
