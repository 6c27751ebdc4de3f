#pragma once

#include "core/rewrite.hpp"

namespace mo::library {

/// What stands for the outputs of a Loop or a TensorIterator when its body is put in its place, once for each
/// iteration. Declined when the number of iterations is not known, or something that the body gets or makes cannot be
/// said.
Replacement unroll(const Node& node, Rewriter& rw);

}  // namespace mo::library
