#pragma once

#include <optional>

#include "core/rewrite.hpp"
#include "transformations/support/loop_parts.hpp"

/// How often a Loop or a TensorIterator runs, and what its body gets each time.
namespace mo::transformations {

/// How many slices of known size the map makes of a tensor; nothing when its size along the axis is not known, or the
/// map does not fit it.
std::optional<std::int64_t> slice_count(const TensorType& type, const ops::InputMap& map);

/// The number of iterations; nothing when it is not known, or the sliced inputs disagree.
std::optional<std::int64_t> iteration_count(const Node& node, const LoopParts& parts);

/// The slices of `whole` in the order of the iterations: `whole` itself when there is one that is all of it, the
/// outputs of a Split where parts of equal size fill the tensor.
std::vector<Value> slices_of(Rewriter& rw, const Value& whole, const ops::InputMap& map, std::int64_t count);

/// The number of an iteration as the Parameter wants it; an empty value when its type is not known.
Value iteration_number(Rewriter& rw, const Node& parameter, std::int64_t iteration);

}  // namespace mo::transformations
