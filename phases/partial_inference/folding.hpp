#pragma once

#include "core/pass/pass.hpp"

namespace mo::phases {

/// Replaces `node` by constants when it can be computed now:
/// - all of its inputs are constants: small results are computed, results above kSmallValueBytes become recipes, ops
/// that only reinterpret
///   share the bytes;
/// - with `static_shape` also when its values are known from shapes (ShapeOf and what depends on it).
/// Results that would be much larger than what they are made of (an Expand to gigabytes) stay ops. Returns whether it
/// was replaced.
Expected<bool> fold_node(Rewriter& rewriter, const Node& node, bool static_shape);

/// Pass "ConstantFolding" (middle): folds what earlier passes made foldable. Setting `static_shape` as above.
Pass constant_folding();

/// Pass "DeadCodeElimination" (middle): removes what no Result needs.
Pass dead_code_elimination();

}  // namespace mo::phases
