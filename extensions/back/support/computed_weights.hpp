#pragma once

#include "core/rewrite.hpp"

namespace mo::back {

/// Whether W, R or B of a recurrent op, the inputs from `first` on, are computed from more than constants, which is all that runtimes fold.
bool has_computed_weights(const Node& node, std::size_t first);

}  // namespace mo::back
