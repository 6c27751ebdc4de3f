#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// A Loop or TensorIterator in place of `node`, without the Parameters of its body that are `gone` (by place; they have
/// no readers left), with their maps and back edges, the input ports that no map is left for, and the Results that only
/// those back edges read. `node` itself when there is nothing to take away, or when it is neither of both.
Node without_parameters(const Node& node, Rewriter& rw, const std::vector<bool>& gone);

/// A TensorIterator takes as many steps as its sliced inputs have slices: when all of them would go, the first one
/// stays.
void keep_step_count(const Node& node, std::vector<bool>& gone);

}  // namespace mo::transformations
