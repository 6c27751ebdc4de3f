#pragma once

#include "core/rewrite.hpp"

namespace mo::front::tensorflow {

/// A functional While (attributes `cond` and `body`: graphs that take all variables; inputs and outputs are the
/// variables) -> Loop.
///
/// The condition is computed before the loop and at the end of the body. A counter that is compared with something
/// fixed gives a trip count instead. Variables that never change become inputs, unused ones vanish. A list that is read
/// at the counter becomes a sliced input, one that is written at the counter or grows by one element in each iteration
/// a concatenated output. Error MO-TF-0755 when condition, body and node do not fit.
Replacement make_loop(const Node& node, Rewriter& rw);

}  // namespace mo::front::tensorflow
