#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// All readers of the random numbers read `by`, and their op is erased: an op with a state does not vanish by itself.
void replace_random(Rewriter& rw, const Node& random, const Value& by);

}  // namespace mo::transformations
