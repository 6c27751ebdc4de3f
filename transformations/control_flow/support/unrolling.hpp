#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Returns replacements for the outputs of a Loop or a TensorIterator when its body is put in its place, once for each
/// iteration. Declined when the number of iterations, or something that the body gets or makes, is unknown.
Replacement unroll(const Node& node, Rewriter& rw);

}  // namespace mo::transformations
