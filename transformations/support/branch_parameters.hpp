#pragma once

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Returns an If in place of `node`, without the unread Parameters of its branches, their maps, and the inputs that no
/// map is left for. Returns `node` itself when each branch reads all that it takes, or when it is not an If.
Node without_unread_inputs(const Node& node, Rewriter& rw);

/// Puts the constants that `node`, an If, hands to its branches into them; the bytes are shared. Returns the If without
/// these inputs.
Node with_constants_in_branches(const Node& node, Rewriter& rw);

}  // namespace mo::transformations
