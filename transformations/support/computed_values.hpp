#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Whether the value depends on more than constants and static shapes, which is all that runtimes fold.
bool is_computed(const Value& value);

/// Whether W, R or B of a recurrent op, the inputs from `first` on, are computed.
bool has_computed_weights(const Node& node, std::size_t first);

}  // namespace mo::transformations
