#pragma once

#include "core/rewrite.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::back {

/// Other dimensions of the same elements, which stay where they are in memory.
inline bool is_view(const Node& node) { return node.is<ops::Reshape>() || node.is<ops::Squeeze>() || node.is<ops::Unsqueeze>(); }

}  // namespace mo::back
