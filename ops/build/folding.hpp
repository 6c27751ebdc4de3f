#pragma once

#include <optional>
#include <vector>

#include "core/graph/graph.hpp"

/// Values in place of the ops that compute them.
namespace mo::build {

/// The values of the outputs of `node` that have readers, empty tensors for the others, when the node can be computed
/// now:
/// - all of its inputs are constants: small results are computed, results above kSmallValueBytes become recipes, ops
///   that only reinterpret share the bytes;
/// - with `of_shapes` also when its values are known from shapes (ShapeOf and what depends on it).
/// Nothing when it cannot, and when a result would be much larger than what it is made of (an Expand to gigabytes).
/// Errors: of the op.
Expected<std::optional<std::vector<Tensor>>> folded_values(const Node& node, bool of_shapes);

/// Whether `folded_values` has something to look at.
bool may_have_folded_values(const Node& node, bool of_shapes);

}  // namespace mo::build
